import type { ReactNode } from 'react';
import type { DeskError } from '../../../relay/contract/desk-api.ts';
import { Button } from '../../components/button.tsx';
import { Notice } from './notice.tsx';
import { StartAgain } from './start-again.tsx';

/** Nothing could be read from the desk. It is tried again by itself; the button does it now. */
export function Unreachable({ error, onRetry }: { error: DeskError | undefined; onRetry: () => void }): ReactNode {
  const silent = error?.reason === 'RELAY_UNREACHABLE';
  return (
    <Notice title={silent ? 'AgentRelay does not answer' : 'The handoffs could not be read'}>
      {silent ? (
        <>
          <p role="alert">If it was stopped, start it again in a terminal, and use the link that it prints:</p>
          <StartAgain />
        </>
      ) : (
        <p role="alert">{error?.message}</p>
      )}
      <Button onPress={onRetry}>Try again</Button>
    </Notice>
  );
}
