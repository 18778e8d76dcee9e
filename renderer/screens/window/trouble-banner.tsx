import type { ReactNode } from 'react';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { Sentence } from '../../components/sentence.tsx';
import { useNow } from '../../components/use-now.ts';
import { useActions, useDesk } from '../../window-context.ts';
import { troubleOf } from '../../words/account.ts';
import styles from './trouble-banner.module.css';

/** A calm line while a relay, or the app itself, does not answer: since when, and what still works. */
export function TroubleBanner(): ReactNode {
  const { retry } = useActions();
  const connection = useDesk((desk) => desk.connection);
  const accounts = useDesk((desk) => desk.accounts);
  const now = useNow();
  const trouble = troubleOf(connection, accounts, now);
  return (
    <div role="status">
      {trouble === undefined ? null : (
        <div className={styles['banner']}>
          <Icon name="offline" tone="faint" />
          <p className={styles['text']}>
            <strong>
              <Sentence text={trouble.what} />
            </strong>{' '}
            {trouble.advice}
          </p>
          {connection.state === 'lost' ? (
            <Button small onPress={retry}>
              Try now
            </Button>
          ) : null}
        </div>
      )}
    </div>
  );
}
