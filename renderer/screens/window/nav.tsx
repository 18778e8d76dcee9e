import { useMemo, type ReactNode } from 'react';
import { Avatar } from '../../components/avatar.tsx';
import { classes } from '../../components/class-names.ts';
import { Icon } from '../../components/icon.tsx';
import type { IconName } from '../../components/icon-paths.tsx';
import { useNow } from '../../components/use-now.ts';
import { filterCounts, type Filter } from '../../state/sections.ts';
import shared from '../../styles/shared.module.css';
import { useActions, useDesk, useUi } from '../../window-context.ts';
import { accountWords } from '../../words/account.ts';
import styles from './nav.module.css';
import { ThemeSwitch } from './theme-switch.tsx';

/** The left pane: whose window this is, how it stands with the relay, and where one can go. */
export function Nav(): ReactNode {
  const { showHelp } = useActions();
  const rows = useDesk((desk) => desk.rows);
  const outbox = useDesk((desk) => desk.outbox);
  const counts = useMemo(() => filterCounts({ rows, outbox }), [rows, outbox]);
  return (
    <nav className={styles['nav']} aria-label="Main">
      <AccountHeads />
      <ul className={styles['places']}>
        <Place filter="inbox" name="Inbox" icon="inbox" count={counts.inbox} needsYou />
        <Place filter="waiting" name="Waiting" icon="waiting" count={counts.waiting} />
        <Place filter="done" name="Done" icon="finished" count={0} />
      </ul>
      <div className={styles['foot']}>
        <button
          type="button"
          className={styles['place']}
          aria-haspopup="dialog"
          aria-keyshortcuts="?"
          title="All keys"
          onClick={() => showHelp(true)}
        >
          <Icon name="keys" />
          <span className={styles['label']}>All keys</span>
        </button>
        <ThemeSwitch />
      </div>
    </nav>
  );
}

interface PlaceProps {
  readonly filter: Filter;
  readonly name: string;
  readonly icon: IconName;
  readonly count: number;
  readonly needsYou?: boolean;
}

function Place({ filter, name, icon, count, needsYou = false }: PlaceProps): ReactNode {
  const { showFilter } = useActions();
  const current = useUi((ui) => ui.filter === filter);
  return (
    <li>
      <button
        type="button"
        className={styles['place']}
        aria-current={current ? 'page' : undefined}
        title={name}
        onClick={() => showFilter(filter)}
      >
        <Icon name={icon} />
        <span className={styles['label']}>{name}</span>
        {count === 0 ? null : (
          <span className={classes(styles['count'], needsYou && styles['needs'])}>
            {count}
            <span className={shared['unseen']}>{needsYou ? ' need you' : ' wait'}</span>
          </span>
        )}
      </button>
    </li>
  );
}

function AccountHeads(): ReactNode {
  const accounts = useDesk((desk) => desk.accounts);
  const connection = useDesk((desk) => desk.connection);
  const now = useNow();
  return accounts.map((account) => {
    const up = connection.state === 'open' && account.state === 'connected';
    const words = accountWords(connection, account, now);
    return (
      <div
        key={account.handle}
        className={styles['account']}
        role="group"
        aria-label="Account"
        title={[account.handle, words, account.detail].filter((part) => part !== undefined).join(': ')}
      >
        <Avatar handle={account.handle} />
        <div className={styles['who']}>
          <span className={styles['handle']}>{account.handle}</span>
          <span className={styles['state']}>
            <Icon name={up ? 'mark' : 'offline'} tone={up ? 'live' : 'held'} small />
            <span className={styles['words']}>{words}</span>
          </span>
        </div>
      </div>
    );
  });
}
