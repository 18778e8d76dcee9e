import type { ReactNode } from 'react';
import { Command } from '../../components/command.tsx';
import { useUi } from '../../window-context.ts';

/** What starts the app, and prints a link to its window, as far as this browser has ever been told. */
export function StartAgain(): ReactNode {
  const start = useUi(({ terminal }) => terminal?.start);
  if (start !== undefined) return <Command text={start} shown="npm start" />;
  return (
    <p>
      In the folder of AgentRelay: <code>npm start</code>
    </p>
  );
}
