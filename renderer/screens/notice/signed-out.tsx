import type { ReactNode } from 'react';
import { Command } from '../../components/command.tsx';
import { Notice } from './notice.tsx';

/** The desk does not know this window: its link was used before, or the app was started anew. */
export function SignedOut({ linkUsed }: { linkUsed: boolean }): ReactNode {
  return (
    <Notice title={linkUsed ? 'This window’s link was already used' : 'This window is not signed in'}>
      <p>
        Each link opens one window, once. Run this again in a terminal: it prints a fresh link. An app that is running
        keeps running.
      </p>
      <Command text="npm start" />
      <p>This says whether it is running:</p>
      <Command text="agentrelay status" />
    </Notice>
  );
}
