import type { ReactNode } from 'react';
import styles from './avatar.module.css';
import { classes } from './class-names.ts';

/** The first letter of a handle. People are round, agents are square. The handle stands beside it. */
export function Avatar({ handle, agent, small }: { handle: string; agent?: boolean; small?: boolean }): ReactNode {
  return (
    <span
      className={classes(styles['avatar'], agent === true && styles['agent'], small === true && styles['small'])}
      aria-hidden="true"
    >
      {handle.slice(0, 1).toUpperCase()}
    </span>
  );
}
