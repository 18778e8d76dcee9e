import type { ReactNode } from 'react';
import type { Tone } from '../words/handoff.ts';
import { classes } from './class-names.ts';
import { ICON_PATHS, type IconName } from './icon-paths.tsx';
import styles from './icon.module.css';

export type IconTone = Tone | 'live';

/** An icon. It repeats what words beside it say, so it is hidden from those who listen. */
export function Icon({ name, tone, small }: { name: IconName; tone?: IconTone; small?: boolean }): ReactNode {
  return (
    <svg
      className={classes(styles['icon'], small === true && styles['small'], tone !== undefined && styles[tone])}
      viewBox="0 0 16 16"
      aria-hidden="true"
      focusable="false"
    >
      {ICON_PATHS[name]}
    </svg>
  );
}
