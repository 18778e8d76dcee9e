import type { ReactNode } from 'react';
import { Badge } from '../../components/badge.tsx';
import { IconButton } from '../../components/button.tsx';
import { Icon, type IconTone } from '../../components/icon.tsx';
import type { IconName } from '../../components/icon-paths.tsx';
import { useActions } from '../../window-context.ts';
import styles from './pane-head.module.css';

interface PaneHeadProps {
  readonly title: ReactNode;
  readonly badge: { readonly text: string; readonly icon: IconName; readonly tone: IconTone };
  /** Below the title, in a row. */
  readonly meta: ReactNode;
  /** Under which rule, or why: the line below that. */
  readonly why: {
    readonly icon: IconName;
    readonly tone: IconTone;
    readonly label: string;
    readonly words: ReactNode;
  };
}

/** The head of the right pane: what it is about, how it stands, and why. */
export function PaneHead({ title, badge, meta, why }: PaneHeadProps): ReactNode {
  const { back } = useActions();
  return (
    <header className={styles['head']}>
      <div className={styles['line']}>
        <IconButton icon="chevronLeft" label="Back to the list" onPress={back} className={styles['back']} />
        <h2 className={styles['title']} id="subject">
          {title}
        </h2>
        <span role="status" aria-label="State" className={styles['state']}>
          <Badge text={badge.text} icon={badge.icon} tone={badge.tone} />
        </span>
      </div>
      <p className={styles['meta']}>{meta}</p>
      <div role="note" aria-label={why.label} className={styles['why']}>
        <Icon name={why.icon} tone={why.tone} />
        <p>{why.words}</p>
      </div>
    </header>
  );
}

/** Between two pieces of a line. */
export function Dot(): ReactNode {
  return (
    <span className={styles['dot']} aria-hidden="true">
      ·
    </span>
  );
}
