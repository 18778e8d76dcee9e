import { useEffect, useMemo, type ReactNode } from 'react';
import { useKeyboard } from '../../keyboard/use-keyboard.ts';
import shared from '../../styles/shared.module.css';
import { filterCounts } from '../../state/sections.ts';
import { useDesk } from '../../window-context.ts';
import { arrivalWords } from '../../words/handoff.ts';
import { Inbox } from '../inbox/inbox.tsx';
import { Help } from './help.tsx';
import { Nav } from './nav.tsx';
import { TroubleBanner } from './trouble-banner.tsx';
import styles from './window.module.css';

/** The window, once there is something to show. */
export function Window(): ReactNode {
  useKeyboard();
  useTitle();
  return (
    <div className={styles['window']}>
      <Nav />
      <main className={styles['main']}>
        <TroubleBanner />
        <Inbox />
      </main>
      <Help />
      <Announcer />
    </div>
  );
}

/** Says aloud what arrives. */
function Announcer(): ReactNode {
  const arrival = useDesk((desk) => desk.arrival);
  return (
    <p className={shared['unseen']} aria-live="polite" role="log">
      {arrival === undefined ? null : <span key={arrival.seq}>{arrivalWords(arrival.item)}</span>}
    </p>
  );
}

/** What needs you is in the title, for a window that is not in front. */
function useTitle(): void {
  const rows = useDesk((desk) => desk.rows);
  const outbox = useDesk((desk) => desk.outbox);
  const needsYou = useMemo(() => filterCounts({ rows, outbox }).inbox, [rows, outbox]);
  useEffect(() => {
    document.title = needsYou === 0 ? 'AgentRelay' : `(${needsYou}) AgentRelay`;
  }, [needsYou]);
}
