import type { ReactNode } from 'react';
import { Command } from '../../components/command.tsx';
import { useUi } from '../../window-context.ts';

/** What makes the app that runs print a fresh link, as far as this browser has ever been told how it is called. */
export function OpenAgain(): ReactNode {
  const command = useUi(({ terminal }) => terminal?.command);
  if (command !== undefined) return <Command text={`${command} open`} shown="agentrelay open" />;
  return (
    <p>
      In the folder of AgentRelay: <code>bin/agentrelay open</code>
    </p>
  );
}
