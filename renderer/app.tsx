import type { ReactNode } from 'react';
import { SignedOut } from './screens/notice/signed-out.tsx';
import { Unreachable } from './screens/notice/unreachable.tsx';
import { useTheme } from './screens/window/theme-switch.tsx';
import { Window } from './screens/window/window.tsx';
import { assertNever } from '../relay/contract/assert-never.ts';
import type { SessionStart } from './transports/session.ts';
import { useActions, useDesk } from './window-context.ts';

/** The window, or the page that says why there is none. */
export function App({ session }: { session: SessionStart }): ReactNode {
  useTheme();
  const phase = useDesk((desk) => desk.phase);
  const error = useDesk((desk) => desk.error);
  const { retry } = useActions();
  switch (phase) {
    case 'loading':
      return <main aria-busy="true" aria-label="AgentRelay is loading" />;
    case 'signed_out':
      return <SignedOut linkUsed={session === 'refused'} />;
    case 'failed':
      // a token that nobody took is still in the address, and only a new page can use it
      return <Unreachable error={error} onRetry={session === 'unreachable' ? () => location.reload() : retry} />;
    case 'ready':
      return <Window />;
    default:
      return assertNever(phase);
  }
}
