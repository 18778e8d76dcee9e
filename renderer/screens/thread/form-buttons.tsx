import type { ReactNode } from 'react';
import { Button } from '../../components/button.tsx';
import { useActions } from '../../window-context.ts';
import styles from './step-form.module.css';

interface FormButtonsProps {
  /** The button that does it. */
  readonly children: ReactNode;
  /** What leaves it undone. */
  readonly back: string;
  /** Id of the words that say why nothing can be done now. */
  readonly reasonId: string | undefined;
  readonly note: string;
}

/** The end of a form in the dock: do it, leave it, and what is to be known about it. */
export function FormButtons({ children, back: words, reasonId, note }: FormButtonsProps): ReactNode {
  const { back } = useActions();
  return (
    <div className={styles['buttons']}>
      {children}
      <Button keys="back" onPress={back}>
        {words}
      </Button>
      <p className={styles['note']} id={reasonId}>
        {note}
      </p>
    </div>
  );
}
