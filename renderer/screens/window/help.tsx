import { useEffect, useRef, type ReactNode } from 'react';
import { IconButton } from '../../components/button.tsx';
import { KeyCaps } from '../../components/key-cap.tsx';
import { ariaKeys, KEYMAP } from '../../keyboard/keymap.ts';
import shared from '../../styles/shared.module.css';
import { useActions, useUi } from '../../window-context.ts';
import styles from './help.module.css';

/** The sheet of all keys. It is the table that the window listens to. */
export function Help(): ReactNode {
  const { showHelp } = useActions();
  const open = useUi((ui) => ui.helpOpen);
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (open) ref.current?.showModal();
    else ref.current?.close();
  }, [open]);
  return (
    <dialog ref={ref} className={styles['sheet']} aria-labelledby="keys-title" onClose={() => showHelp(false)}>
      <header className={styles['head']}>
        <h2 id="keys-title">All keys</h2>
        <IconButton icon="close" label="Close" onPress={() => showHelp(false)} />
      </header>
      <dl>
        {KEYMAP.map(({ action, words }) => (
          <div key={action} className={styles['line']}>
            <dt>{words}</dt>
            <dd>
              <KeyCaps action={action} />
              <span className={shared['unseen']}>{ariaKeys(action)}</span>
            </dd>
          </div>
        ))}
      </dl>
    </dialog>
  );
}
