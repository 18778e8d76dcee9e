import { useRef, type ReactNode } from 'react';
import type { InboxItem } from '../../../relay/contract/desk-api.ts';
import { Button } from '../../components/button.tsx';
import { Sentence } from '../../components/sentence.tsx';
import { draftId, type WrittenStep } from '../../state/compose.ts';
import { itemKey } from '../../state/item.ts';
import { useFocusRequest } from '../../state/use-focus-request.ts';
import { useActions, useCompose } from '../../window-context.ts';
import { formWords } from '../../words/dock.ts';
import { FormButtons } from './form-buttons.tsx';
import styles from './step-form.module.css';

interface StepFormProps {
  readonly item: InboxItem;
  readonly mode: Exclude<WrittenStep, 'reply'>;
  /** Id of the words that say why nothing can be sent now. */
  readonly reasonId: string | undefined;
  readonly note: string;
}

/** Asks for what a step needs before it is taken: a reason, a summary, a question. */
export function StepForm({ item, mode, reasonId, note }: StepFormProps): ReactNode {
  const { type, take } = useActions();
  const field = useRef<HTMLTextAreaElement>(null);
  const text = useCompose(({ drafts }) => drafts[draftId(itemKey(item), mode)]?.text ?? '');
  // what is on its way must not change under it
  const sending = useCompose(({ docks }) => docks[itemKey(item)]?.pending !== undefined);
  const words = formWords(mode, item);
  useFocusRequest('dock', () => field.current?.focus());
  return (
    <form
      className={styles['form']}
      aria-label={words.submit}
      onSubmit={(event) => {
        event.preventDefault();
        take(mode);
      }}
    >
      <label className={styles['label']}>
        <span>
          <Sentence text={words.label} />
        </span>
        <textarea
          ref={field}
          className={styles['field']}
          rows={2}
          value={text}
          readOnly={sending}
          onChange={(event) => type(mode, event.target.value)}
        />
      </label>
      <FormButtons back={words.back} reasonId={reasonId} note={note}>
        <Button
          look="filled"
          disabled={reasonId !== undefined}
          reasonId={reasonId}
          keys="send"
          onPress={() => take(mode)}
        >
          {words.submit}
        </Button>
      </FormButtons>
    </form>
  );
}
