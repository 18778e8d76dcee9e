import type { ReactNode } from 'react';
import { Icon } from '../components/icon.tsx';
import { counted } from '../words/counted.ts';
import styles from './more-lines.module.css';

/** At the foot of a long text that is not drawn to its end. */
export function MoreLines({ count, onPress }: { count: number; onPress: () => void }): ReactNode {
  if (count === 0) return null;
  return (
    <button type="button" className={styles['more']} onClick={onPress}>
      <Icon name="more" small />
      {counted(count, 'more line')}
    </button>
  );
}
