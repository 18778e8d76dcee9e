import type { ReactNode } from 'react';
import { TERMINAL_STATES } from '../../../relay/contract/handoff.ts';
import type { InboxItem } from '../../../relay/contract/desk-api.ts';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { Sentence } from '../../components/sentence.tsx';
import { draftId, EMPTY_DOCK, stepsFor, type Step } from '../../state/compose.ts';
import { canTrust } from '../../state/decisions.ts';
import { itemKey } from '../../state/item.ts';
import { useActions, useCompose, useDesk } from '../../window-context.ts';
import { blockedWords, dockHint, STEP_NAMES } from '../../words/dock.ts';
import { rowLook, closedWords } from '../../words/handoff.ts';
import { Composer } from './composer.tsx';
import styles from './dock.module.css';
import { Outcome } from './outcome.tsx';
import { QuestionForm } from './question-form.tsx';
import { StepForm } from './step-form.tsx';
import { Unsent } from './unsent.tsx';

/** The id under which the dock says why nothing can be sent now. */
const REASON_ID = 'dock-reason';

/** The foot of a thread, always at the same place: what can be done, by role and state. */
export function Dock({ item }: { item: InboxItem }): ReactNode {
  const dock = useCompose(({ docks }) => docks[itemKey(item)] ?? EMPTY_DOCK);
  const lost = useDesk(({ connection }) => connection.state === 'lost');
  const { role, state } = item.handoff;
  if (TERMINAL_STATES.has(state)) return <Closed item={item} />;
  const steps = stepsFor(role, state);
  // another side may have moved the handoff away from under an open form
  const mode = steps.includes(dock.mode) ? dock.mode : 'reply';
  const blocked = blockedWords(dock, lost);
  const reasonId = blocked === '' ? undefined : REASON_ID;
  return (
    <section className={styles['dock']} aria-label="What you can do">
      <Unsent item={item} />
      {dock.asks === 'trust' && canTrust(item) ? (
        <QuestionForm question={dock.asks} peer={item.peer} reasonId={reasonId} note={blocked} />
      ) : mode === 'reply' ? (
        <>
          <Composer item={item} reasonId={reasonId} />
          <Steps item={item} steps={steps} reasonId={reasonId} note={blocked === '' ? dockHint(item) : blocked} />
        </>
      ) : (
        <StepForm key={mode} item={item} mode={mode} reasonId={reasonId} note={blocked} />
      )}
      <Outcome dock={dock} />
    </section>
  );
}

interface StepsProps {
  readonly item: InboxItem;
  readonly steps: readonly Step[];
  readonly reasonId: string | undefined;
  readonly note: string;
}

function Steps({ item, steps, reasonId, note }: StepsProps): ReactNode {
  const { begin, take, ask } = useActions();
  const isWriting = useCompose(({ drafts }) => (drafts[draftId(itemKey(item), 'reply')]?.text ?? '').trim() !== '');
  const buttons = steps.filter((step) => step !== 'reply');
  if (buttons.length === 0 && note === '') return null;
  return (
    <div className={styles['steps']}>
      {buttons.map((step, index) => (
        <Button
          key={step}
          // one filled button: while something is written, that is Send
          look={index === 0 && !isWriting && step !== 'cancel' ? 'filled' : 'plain'}
          disabled={reasonId !== undefined}
          reasonId={reasonId}
          keys={step}
          onPress={() => (step === 'accept' ? take('accept') : begin(step))}
        >
          {STEP_NAMES[step]}
        </Button>
      ))}
      {canTrust(item) ? (
        <Button disabled={reasonId !== undefined} reasonId={reasonId} keys="trust" onPress={() => ask('trust')}>
          <span>
            <Sentence text={`Trust ${item.peer}…`} />
          </span>
        </Button>
      ) : null}
      <p className={styles['note']} id={reasonId}>
        <Sentence text={note} />
      </p>
    </div>
  );
}

function Closed({ item }: { item: InboxItem }): ReactNode {
  const { icon, tone } = rowLook({ ...item, group: 'done' });
  return (
    <section className={styles['dock']} aria-label="What you can do">
      <Unsent item={item} />
      <p className={styles['closed']}>
        <Icon name={icon} tone={tone} />
        <span>
          <Sentence text={closedWords(item)} />
        </span>
      </p>
    </section>
  );
}
