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
  { icon: 'held', tone: 'held', name: 'Held', words: 'A rule of yours stopped it, and the rule is named' },
  { icon: 'queued', tone: 'faint', name: 'Queued', words: 'The other side has not seen it yet, nothing is lost' },
  { icon: 'done', tone: 'done', name: 'Done', words: 'Completed, declined or cancelled' },
  { icon: 'failed', tone: 'failed', name: 'Failed', words: 'With the reason' },
];

const SHORT = 'agentrelay';

/** A name to give to somebody else: never the reader's own. */
function otherName(handle: string): string {
  return handle.startsWith('mia@') ? 'frank' : 'mia';
}

/** An empty inbox teaches: what to type to hand something over, and what will be seen then. */
export function Teach(): ReactNode {
  const handle = useDesk(({ accounts: [account] }) => account?.handle ?? 'alice@acme');
  const command = useDesk(({ terminal }) => terminal?.command ?? SHORT);
  const other = otherName(handle);
  const commands = [`register ${other}`, `handoff ${other}@${relayName({ handle })} -m "Why does this fail?"`] as const;
  return (
    <article className={styles['teach']} aria-labelledby="teach-title">
      <div className={styles['column']}>
        <h2 className={styles['title']} id="teach-title">
          Nothing needs you
        </h2>
        <p className={styles['text']}>Give a teammate, or another agent, a handle on your relay. In a terminal:</p>
        <Command text={`${command} ${commands[0]}`} shown={`${SHORT} ${commands[0]}`} />
        <p className={styles['text']}>Its key is shown once. Then hand something over:</p>
        <Command text={`${command} ${commands[1]}`} shown={`${SHORT} ${commands[1]}`} />
        {command === SHORT ? null : (
          <p className={styles['hint']}>
            Copying gives the full path of the command with it, so that both work in any folder.
          </p>
        )}
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
