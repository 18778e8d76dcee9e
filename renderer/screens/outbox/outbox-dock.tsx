import type { ReactNode } from 'react';
import type { OutboxItem } from '../../../relay/contract/outbox.ts';
import { Button } from '../../components/button.tsx';
import { Sentence } from '../../components/sentence.tsx';
import { EMPTY_DOCK } from '../../state/compose.ts';
import { outboxKey } from '../../state/item.ts';
import { needsPerson } from '../../state/sections.ts';
import { useActions, useCompose, useDesk } from '../../window-context.ts';
import { blockedWords } from '../../words/dock.ts';
import { outboxHint, releaseWords } from '../../words/outbox.ts';
import docks from '../thread/dock.module.css';
import { Outcome } from '../thread/outcome.tsx';
import { QuestionForm } from '../thread/question-form.tsx';

/** The id under which the dock says why nothing can be done now. */
const REASON_ID = 'outbox-reason';

/** The foot of what waits to be sent: it is sent on, tried again, or dropped. */
export function OutboxDock({ item }: { item: OutboxItem }): ReactNode {
  const { release, ask, select } = useActions();
  const dock = useCompose((compose) => compose.docks[outboxKey(item)] ?? EMPTY_DOCK);
  const lost = useDesk(({ connection }) => connection.state === 'lost');
  const blocked = blockedWords(dock, lost);
  const reasonId = blocked === '' ? undefined : REASON_ID;
  const common = { disabled: blocked !== '', reasonId };
  const { account, task_id: taskId } = item;
  return (
    <section className={docks['dock']} aria-label="What you can do">
      {dock.asks === 'drop' ? (
        <QuestionForm question="drop" peer={item.peer} reasonId={reasonId} note={blocked} />
      ) : (
        <div className={docks['steps']}>
          {/* a secret is never what most people want to send */}
          <Button
            {...common}
            look={needsPerson(item) && item.findings.length === 0 ? 'filled' : 'plain'}
            keys="send"
            onPress={release}
          >
            {releaseWords(item)}
          </Button>
          <Button {...common} keys="cancel" onPress={() => ask('drop')}>
            Drop
          </Button>
          {taskId === undefined ? null : (
            <Button look="quiet" onPress={() => select({ account, taskId }, true)}>
              Open its handoff
            </Button>
          )}
          <p className={docks['note']} id={reasonId}>
            <Sentence text={blocked === '' ? outboxHint(item) : blocked} />
          </p>
        </div>
      )}
      <Outcome dock={dock} />
    </section>
  );
}
