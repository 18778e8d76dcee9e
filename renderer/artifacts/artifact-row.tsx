import { useId, useState, type ReactNode } from 'react';
import { Icon } from '../components/icon.tsx';
import type { IconName } from '../components/icon-paths.tsx';
import { classes } from '../components/class-names.ts';
import { CopyButton } from '../components/copy-button.tsx';
import styles from './artifact-row.module.css';

interface ArtifactRowProps {
  readonly icon: IconName;
  /** What it is called: a path, a command. */
  readonly name: ReactNode;
  /** What else is known of it. */
  readonly note?: ReactNode;
  readonly badge?: ReactNode;
  /** What can be copied, and what that is: "the diff". */
  readonly copy?: { readonly text: string; readonly what: string };
  /** What is behind it. Without it the row does not open. */
  readonly children?: () => ReactNode;
  readonly startsOpen?: boolean;
  /** The name is never cut. */
  readonly whole?: boolean;
}

/** One line of the frame; what is behind it is only drawn once it is opened. */
export function ArtifactRow({
  icon,
  name,
  note,
  badge,
  copy,
  children,
  startsOpen = false,
  whole = false,
}: ArtifactRowProps): ReactNode {
  const [open, setOpen] = useState(startsOpen);
  const id = useId();
  const label = (
    <>
      <span className={classes(styles['name'], whole && styles['whole'])}>{name}</span>
      {note === undefined ? null : <span className={styles['note']}>{note}</span>}
    </>
  );
  return (
    <div>
      <div className={styles['row']}>
        {children === undefined ? (
          <div className={styles['label']}>
            <Icon name={icon} tone="faint" />
            {label}
          </div>
        ) : (
          <button
            type="button"
            className={styles['label']}
            aria-expanded={open}
            aria-controls={open ? id : undefined}
            onClick={() => setOpen(!open)}
          >
            <Icon name={open ? 'chevronDown' : 'chevronRight'} tone="faint" />
            {label}
          </button>
        )}
        {badge}
        {copy === undefined ? null : <CopyButton text={copy.text} what={copy.what} />}
      </div>
      {open && children !== undefined ? (
        <div id={id} className={styles['content']}>
          {children()}
        </div>
      ) : null}
    </div>
  );
}
