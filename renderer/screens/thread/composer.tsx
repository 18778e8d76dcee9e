import { useRef, type ReactNode } from 'react';
import type { InboxItem } from '../../../relay/contract/desk-api.ts';
import { Button } from '../../components/button.tsx';
import { KeyCaps } from '../../components/key-cap.tsx';
import { draftId } from '../../state/compose.ts';
import { itemKey } from '../../state/item.ts';
import { useFocusRequest } from '../../state/use-focus-request.ts';
import shared from '../../styles/shared.module.css';
import { useActions, useCompose } from '../../window-context.ts';
import { formWords } from '../../words/dock.ts';
import styles from './composer.module.css';

interface ComposerProps {
  readonly item: InboxItem;
  /** Id of the words that say why nothing can be sent now. */
  readonly reasonId: string | undefined;
}

/** Where a message is written. It stays when it cannot be sent. */
export function Composer({ item, reasonId }: ComposerProps): ReactNode {
  const { type, take } = useActions();
  const field = useRef<HTMLTextAreaElement>(null);
  const text = useCompose(({ drafts }) => drafts[draftId(itemKey(item), 'reply')]?.text ?? '');
  // what is on its way must not change under it
  const sending = useCompose(({ docks }) => docks[itemKey(item)]?.pending !== undefined);
  const { label, submit } = formWords('reply', item);
  useFocusRequest('dock', () => field.current?.focus());
  return (
    <div className={styles['composer']}>
      <label className={styles['label']}>
        <span className={shared['unseen']}>{label}</span>
        <textarea
          ref={field}
          className={styles['field']}
          rows={1}
          value={text}
          placeholder={label}
          readOnly={sending}
          onChange={(event) => type('reply', event.target.value)}
        />
      </label>
      {text.trim() === '' ? (
        // what brings the keyboard here, and once it is here, what sends
        <span className={styles['hint']}>
          <span className={styles['away']}>
            <KeyCaps action="reply" />
          </span>
          <span className={styles['here']}>
            <KeyCaps action="send" />
          </span>
        </span>
      ) : (
        <Button
          small
          look="filled"
          keys="send"
          disabled={reasonId !== undefined}
          reasonId={reasonId}
          onPress={() => take('reply')}
        >
          {submit}
        </Button>
      )}
    </div>
  );
}
