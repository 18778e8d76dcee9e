import { useMemo, type ReactNode } from 'react';
import type { Group } from '../../../relay/contract/desk-api.ts';
import { GROUP_NAMES, sectionsOf, type Filter } from '../../state/sections.ts';
import { useDesk, useUi } from '../../window-context.ts';
import headings from './group-heading.module.css';
import { HandoffList } from './handoff-list.tsx';
import styles from './list-pane.module.css';

/** What each filter is called. */
export const TITLES: Readonly<Record<Filter, string>> = { inbox: 'Inbox', waiting: 'Waiting', done: 'Done' };

/** What will be in each group, while there is nothing in any. */
const EMPTY: Readonly<Record<Filter, readonly { readonly group: Group; readonly words: string }[]>> = {
  inbox: [
    { group: 'needs_you', words: 'Handoffs that wait for your answer come first.' },
    { group: 'waiting', words: 'What you sent, with the reason when it waits.' },
  ],
  waiting: [{ group: 'waiting', words: 'What you sent or asked, until the other side has done its part.' }],
  done: [{ group: 'done', words: 'What was completed, declined, cancelled or failed.' }],
};

/** The middle pane: the handoffs of one filter, in their groups. */
export function ListPane(): ReactNode {
  const filter = useUi((ui) => ui.filter);
  const rows = useDesk((desk) => desk.rows);
  const doneTotal = useDesk((desk) => desk.doneTotal);
  const sections = useMemo(() => sectionsOf(rows, filter, doneTotal), [rows, filter, doneTotal]);
  return (
    <section className={styles['pane']} aria-label={TITLES[filter]}>
      <header className={styles['head']}>
        <h2>{TITLES[filter]}</h2>
      </header>
      {sections.length === 0 ? (
        EMPTY[filter].map(({ group, words }) => (
          <div key={group}>
            <h3 className={headings['heading']}>
              {GROUP_NAMES[group]}
              <span className={headings['count']}>0</span>
            </h3>
            <p className={styles['empty']}>{words}</p>
          </div>
        ))
      ) : (
        <HandoffList key={filter} filter={filter} sections={sections} />
      )}
    </section>
  );
}
