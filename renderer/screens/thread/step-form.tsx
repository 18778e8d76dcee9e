import { useRef, type ReactNode } from 'react';
import type { InboxItem } from '../../../relay/contract/desk-api.ts';
import { Button } from '../../components/button.tsx';
import { draftId, isWritten, type DockMode } from '../../state/compose.ts';
import { itemKey } from '../../state/item.ts';
import { useFocusRequest } from '../../state/use-focus-request.ts';
import { useActions, useCompose } from '../../window-context.ts';
import { formWords } from '../../words/dock.ts';
import styles from './step-form.module.css';

interface StepFormProps {
  readonly item: InboxItem;
  readonly mode: Exclude<DockMode, 'reply'>;
  /** Id of the words that say why nothing can be sent now. */
  readonly reasonId: string | undefined;
  readonly note: string;
}

/** Asks for what a step needs before it is taken: a reason, a summary, a question, or whether it is meant. */
export function StepForm({ item, mode, reasonId, note }: StepFormProps): ReactNode {
  const { type, take, back } = useActions();
  const field = useRef<HTMLTextAreaElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const text = useCompose(({ drafts }) => drafts[draftId(itemKey(item), mode)]?.text ?? '');
  // what is on its way must not change under it
  const sending = useCompose(({ docks }) => docks[itemKey(item)]?.pending !== undefined);
  const words = formWords(mode, item);
  useFocusRequest('dock', () => (field.current ?? button.current)?.focus());
  return (
    <form
      className={styles['form']}
      aria-label={words.submit}
      onSubmit={(event) => {
        event.preventDefault();
        take(mode);
      }}
    >
      {isWritten(mode) ? (
        <label className={styles['label']}>
          {words.label}
          <textarea
            ref={field}
            className={styles['field']}
            rows={2}
            value={text}
            readOnly={sending}
            onChange={(event) => type(mode, event.target.value)}
          />
        </label>
      ) : (
        <p>{words.label}</p>
      )}
      <div className={styles['buttons']}>
        <Button
          ref={button}
          look="filled"
          disabled={reasonId !== undefined}
          reasonId={reasonId}
          {...(isWritten(mode) ? { keys: 'send' as const } : {})}
          onPress={() => take(mode)}
        >
          {words.submit}
        </Button>
        <Button keys="back" onPress={back}>
          {words.back}
        </Button>
        <p className={styles['note']} id={reasonId}>
          {note}
        </p>
      </div>
    </form>
  );
}
