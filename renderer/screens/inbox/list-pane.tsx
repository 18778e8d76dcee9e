import { useMemo, type ReactNode } from 'react';
import { SECTION_NAMES, sectionsOf, type Filter, type SectionName } from '../../state/sections.ts';
import { useDesk, useUi } from '../../window-context.ts';
import headings from './group-heading.module.css';
import { HandoffList } from './handoff-list.tsx';
import styles from './list-pane.module.css';

/** What each filter is called. */
export const TITLES: Readonly<Record<Filter, string>> = { inbox: 'Inbox', waiting: 'Waiting', done: 'Done' };

/** What will be in each section, while there is nothing in any. */
const EMPTY: Readonly<Record<Filter, readonly { readonly name: SectionName; readonly words: string }[]>> = {
  inbox: [
    { name: 'needs_you', words: 'Handoffs that wait for your answer come first.' },
    { name: 'held', words: 'What your rules in trust.yaml keep from your agents, until you decide.' },
    { name: 'waiting', words: 'What you sent, with the reason when it waits.' },
  ],
  waiting: [{ name: 'waiting', words: 'What you sent or asked, until the other side has done its part.' }],
  done: [{ name: 'done', words: 'What was completed, declined, cancelled or failed.' }],
};

/** The middle pane: the rows of one filter, in their sections. */
export function ListPane(): ReactNode {
  const filter = useUi((ui) => ui.filter);
  const rows = useDesk((desk) => desk.rows);
  const doneTotal = useDesk((desk) => desk.doneTotal);
  const outbox = useDesk((desk) => desk.outbox);
  const sections = useMemo(() => sectionsOf({ rows, outbox, doneTotal }, filter), [rows, outbox, doneTotal, filter]);
  return (
    <section className={styles['pane']} aria-label={TITLES[filter]}>
      <header className={styles['head']}>
        <h2>{TITLES[filter]}</h2>
      </header>
      {sections.length === 0 ? (
        EMPTY[filter].map(({ name, words }) => (
          <div key={name}>
            <h3 className={headings['heading']}>
              {SECTION_NAMES[name]}
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
