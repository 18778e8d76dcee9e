import type { ReactNode } from 'react';
import { Icon } from '../components/icon.tsx';
import { counted } from '../words/counted.ts';
import styles from './more.module.css';

interface MoreProps {
  readonly count: number;
  /** What there is more of, in the singular: "line". */
  readonly of: string;
  readonly onPress: () => void;
}

/** At the foot of a long list that is not drawn to its end. */
export function More({ count, of, onPress }: MoreProps): ReactNode {
  if (count === 0) return null;
  return (
    <button type="button" className={styles['more']} onClick={onPress}>
      <Icon name="more" small />
      {counted(count, `more ${of}`)}
    </button>
  );
}
