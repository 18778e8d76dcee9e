import type { ReactNode } from 'react';
import { Command } from '../../components/command.tsx';
import { Notice } from './notice.tsx';

/** The desk does not know this window: its link was used before, or the app was started anew. */
export function SignedOut({ linkUsed }: { linkUsed: boolean }): ReactNode {
  return (
    <Notice title={linkUsed ? 'This window’s link was already used' : 'This window is not signed in'}>
      <p>
        Each link opens one window, once. Run this again in a terminal: it prints a fresh link, and leaves an app that
        runs alone.
      </p>
      <Command text="npm start" />
      <p>Whether the app runs, and for whom, says this:</p>
      <Command text="agentrelay status" />
    </Notice>
  );
}
