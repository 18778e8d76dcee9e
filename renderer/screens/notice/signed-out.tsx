import type { ReactNode } from 'react';
import { useDesk, useUi } from '../../window-context.ts';
import { Notice } from './notice.tsx';
import { OpenAgain } from './open-again.tsx';

/** The desk does not know this window: it was started anew, or the link was used before. */
export function SignedOut({ linkUsed }: { linkUsed: boolean }): ReactNode {
  const wasOpen = useDesk(({ terminal }) => terminal !== undefined);
  const wasLetInOnce = useUi(({ terminal }) => terminal !== undefined);
  if (wasOpen || (wasLetInOnce && !linkUsed)) {
    return (
      <Notice title="AgentRelay was restarted">
        <p role="alert">Open the window again from the Window line that the start printed. What you wrote is kept.</p>
        <p>If that line is gone, or was used, this prints a new one:</p>
        <OpenAgain />
      </Notice>
    );
  }
  return (
    <Notice title={linkUsed ? 'This window’s link was already used' : 'This window is not signed in'}>
      <p>
        {linkUsed ? 'Each link opens one window, once.' : 'The Window line that a start prints opens it.'} This prints a
        new one:
      </p>
      <OpenAgain />
    </Notice>
  );
}
