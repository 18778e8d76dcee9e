import { useState, type ReactNode } from 'react';
import { Button } from '../../components/button.tsx';
import { useActions, useDesk } from '../../window-context.ts';
import { counted } from '../../words/counted.ts';
import styles from './older.module.css';

/** Behind the newest of what is done: the way to the rest, of which `missing` are not in the list. */
export function Older({ missing }: { missing: number }): ReactNode {
  const { loadOlder } = useActions();
  const more = useDesk(({ accounts, older }) => accounts.some(({ handle }) => older[handle] !== ''));
  const [state, setState] = useState<{ busy: boolean; error?: string }>({ busy: false });
  if (missing <= 0 || !more) return null;
  const load = async (): Promise<void> => {
    setState({ busy: true });
    const error = await loadOlder();
    setState({ busy: false, ...(error === undefined ? {} : { error: error.message }) });
  };
  return (
    <div className={styles['older']}>
      <Button small look="quiet" disabled={state.busy} onPress={() => void load()}>
        {state.busy ? 'Loading' : counted(missing, 'older handoff')}
      </Button>
      {state.error === undefined ? null : <p role="alert">{state.error}</p>}
    </div>
  );
}
