import type { ReactNode } from 'react';
import { Command } from '../../components/command.tsx';
import { Icon, type IconTone } from '../../components/icon.tsx';
import type { IconName } from '../../components/icon-paths.tsx';
import { relayName } from '../../state/item.ts';
import { useDesk } from '../../window-context.ts';
import styles from './teach.module.css';

const LEGEND: readonly { icon: IconName; tone: IconTone; name: string; words: string }[] = [
  { icon: 'needs', tone: 'needs', name: 'Needs you', words: 'Accept, answer or decline it' },
  { icon: 'working', tone: 'working', name: 'Working', words: 'It was accepted, somebody is at it' },
  { icon: 'queued', tone: 'faint', name: 'Queued', words: 'The other side has not seen it yet, nothing is lost' },
  { icon: 'done', tone: 'done', name: 'Done', words: 'Completed, declined or cancelled' },
  { icon: 'failed', tone: 'failed', name: 'Failed', words: 'With the reason' },
];

/** An empty inbox teaches: what to type to hand something over, and what will be seen then. */
export function Teach(): ReactNode {
  const relay = useDesk(({ accounts: [account] }) => (account === undefined ? 'acme' : relayName(account)));
  return (
    <article className={styles['teach']} aria-labelledby="teach-title">
      <div className={styles['column']}>
        <h2 className={styles['title']} id="teach-title">
          Nothing needs you
        </h2>
        <p className={styles['text']}>Give a teammate, or another agent, a handle on your relay. In a terminal:</p>
        <Command text="agentrelay register frank" />
        <p className={styles['text']}>Its key is shown once. Then hand something over:</p>
        <Command text={`agentrelay handoff frank@${relay} -m "Why does this fail?"`} />
        <p className={styles['hint']}>
          From a checkout: <code>npx agentrelay …</code>
        </p>
        <h3 className={styles['sub']}>What you will see here</h3>
        <ul className={styles['legend']}>
          {LEGEND.map(({ icon, tone, name, words }) => (
            <li key={name}>
              <Icon name={icon} tone={tone} />
              <strong>{name}</strong>
              <span>{words}</span>
            </li>
          ))}
        </ul>
      </div>
    </article>
  );
}
