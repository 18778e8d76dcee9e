import type { ReactNode } from 'react';
import { Button } from '../../components/button.tsx';
import { classes } from '../../components/class-names.ts';
import { Icon } from '../../components/icon.tsx';
import { Sentence } from '../../components/sentence.tsx';
import { useNow } from '../../components/use-now.ts';
import { useActions, useDesk } from '../../window-context.ts';
import { troubleOf } from '../../words/account.ts';
import styles from './trouble-banner.module.css';

/**
 * A line while a relay, or the app itself, does not answer: since when, and what still works; and while our own rules cannot
 * be used.
 */
export function TroubleBanner(): ReactNode {
  const { retry } = useActions();
  const connection = useDesk((desk) => desk.connection);
  const accounts = useDesk((desk) => desk.accounts);
  // the rules are the same for all, and the newest row was decided by them last
  const trust = useDesk(({ rows }) => rows[0]?.item.trust);
  const now = useNow();
  const trouble = troubleOf({ connection, accounts, trust }, now);
  return (
    <div role="status">
      {trouble === undefined ? null : (
        <div className={classes(styles['banner'], trouble.kind === 'rules' && styles['rules'])}>
          <Icon
            name={trouble.kind === 'rules' ? 'warn' : 'offline'}
            tone={trouble.kind === 'rules' ? 'failed' : 'faint'}
          />
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
