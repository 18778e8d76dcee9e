import { useRef, type ReactNode } from 'react';
import { Button } from '../../components/button.tsx';
import { Sentence } from '../../components/sentence.tsx';
import type { Question } from '../../state/compose.ts';
import { useFocusRequest } from '../../state/use-focus-request.ts';
import { useActions } from '../../window-context.ts';
import { questionWords } from '../../words/dock.ts';
import { FormButtons } from './form-buttons.tsx';
import styles from './step-form.module.css';

interface QuestionFormProps {
  readonly question: Question;
  readonly peer: string;
  /** Id of the words that say why nothing can be done now. */
  readonly reasonId: string | undefined;
  readonly note: string;
}

/** Says what something means before it is done. */
export function QuestionForm({ question, peer, reasonId, note }: QuestionFormProps): ReactNode {
  const { confirm } = useActions();
  const button = useRef<HTMLButtonElement>(null);
  const words = questionWords(question, peer);
  useFocusRequest('dock', () => button.current?.focus());
  return (
    <div role="group" aria-label={words.submit} className={styles['form']}>
      <p>
        <Sentence text={words.question} />
      </p>
      <FormButtons back={words.back} reasonId={reasonId} note={note}>
        <Button
          ref={button}
          look="filled"
          keys="send"
          disabled={reasonId !== undefined}
          reasonId={reasonId}
          onPress={confirm}
        >
          <span>
            <Sentence text={words.submit} />
          </span>
        </Button>
      </FormButtons>
    </div>
  );
}
