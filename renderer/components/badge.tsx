import type { ReactNode } from 'react';
import styles from './badge.module.css';
import { classes } from './class-names.ts';
import { Icon, type IconTone } from './icon.tsx';
import type { IconName } from './icon-paths.tsx';

/** A short word for a state. The glyph and the colour only repeat it. */
export function Badge({ text, icon, tone = 'done' }: { text: string; icon?: IconName; tone?: IconTone }): ReactNode {
  return (
    <span className={classes(styles['badge'], styles[tone])}>
      {icon === undefined ? null : <Icon name={icon} small />}
      {text}
    </span>
  );
}
