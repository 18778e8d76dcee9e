import type { ReactNode } from 'react';
import { Button } from '../../components/button.tsx';
import { Command } from '../../components/command.tsx';
import { Notice } from './notice.tsx';

/** Nothing could be read from the desk. It is tried again by itself; the button does it now. */
export function Unreachable({ message, onRetry }: { message: string; onRetry: () => void }): ReactNode {
  return (
    <Notice title="AgentRelay does not answer">
      <p role="alert">{message}</p>
      <Command text="npm start" />
      <Button onPress={onRetry}>Try again</Button>
    </Notice>
  );
}
