import type { Message, Task } from '../contract/a2a.ts';
import { digest } from '../handoffs/digest.ts';
import { notFound } from '../handoffs/engine.ts';
import type { Party } from '../contract/handoff.ts';
import type { Committed, Handoff, Once } from '../store/ports.ts';
import { authorOf, visibleAs, type Call, type RelayContext } from './context.ts';
import type { ReceiptItem, UpdateOperation } from './operation.ts';
import { isEmptyMessage } from './parts.ts';
import { bareTask, see, taskOf, withHistory } from './read-task.ts';
import { commandsOf } from './recipient-commands.ts';
import { requireRecipientsExtensions } from './required-extensions.ts';

/** `tasks/update` of our extension: a step of a handoff, with the words and artifacts that go with it. */
export async function update(context: RelayContext, call: Call, operation: UpdateOperation): Promise<Task> {
  const before = await context.log.readHandoff(operation.id);
  const party = before && visibleAs(before, call);
  if (before === undefined || party === undefined) throw notFound(operation.id);
  const { message } = operation;
  if (message !== undefined && !isEmptyMessage(message)) {
    await requireRecipientsExtensions(context, call, before, party);
  }
  await takeStep(context, call, operation, once(context, call, before, operation));
  return updated(context, call, operation);
}

/** Who streams chunk by chunk would read the whole thread again with each of them: that one gets the task without it. */
async function updated(
  context: RelayContext,
  call: Call,
  { id, append, historyLength }: UpdateOperation,
): Promise<Task> {
  if (append && historyLength === undefined) {
    const handoff = await context.log.readHandoff(id);
    if (handoff === undefined) throw notFound(id);
    return bareTask(context, call, handoff);
  }
  const options = withHistory(historyLength, true);
  return taskOf(await see(context, call, id, options), options);
}

/** Does a step, whichever form it came in. The caller has checked that this call may see the handoff. */
export function takeStep(
  context: RelayContext,
  call: Call,
  operation: UpdateOperation,
  underKey: Once | undefined,
): Promise<Committed> {
  const { agent } = call.principal;
  const { id: _id, idempotencyKey: _key, historyLength: _length, message, author, ...step } = operation;
  return context.engine.act(
    operation.id,
    agent.id,
    (handoff, party) => {
      const words = message && wordsOf(message, party, context.newId);
      return commandsOf(handoff, {
        ...step,
        ...(words === undefined ? {} : { message: words }),
        party,
        author: authorOf(call, author),
        replies: agent.replies,
      });
    },
    underKey,
  );
}

/** What is kept of a message: the ids are the task's own, and the role is the relay's to say. */
export function storedMessage(message: Message, party: Party): Message {
  const { taskId: _task, contextId: _context, ...rest } = message;
  return { ...rest, role: party === 'sender' ? 'ROLE_USER' : 'ROLE_AGENT' };
}

/** `POST /v1/receipts`: all of them or none; each handoff as it is afterwards. TASK_NOT_FOUND for one is for all. */
export async function noteReceipts(
  context: RelayContext,
  call: Call,
  items: readonly ReceiptItem[],
): Promise<readonly Handoff[]> {
  for (const { taskId } of items) {
    const handoff = await context.log.readHandoff(taskId);
    if (handoff === undefined || visibleAs(handoff, call) === undefined) throw notFound(taskId);
  }
  return Promise.all(items.map((item) => noteReceipt(context, call, item)));
}

/** How far a desk has got with a thread. Going back is not a thing. */
export async function noteReceipt(context: RelayContext, call: Call, item: ReceiptItem): Promise<Handoff> {
  const { taskId, state, version, sessionLabel } = item;
  const { handoff } = await context.engine.act(taskId, call.principal.agent.id, (_handoff, party) => [
    {
      type: 'receipt',
      actor: party,
      author: authorOf(call, undefined),
      state,
      upTo: version,
      ...(sessionLabel === undefined ? {} : { label: sessionLabel }),
    },
  ]);
  return handoff;
}

/** The message with an id, where its client gave none. */
export function withId(message: Message, newId: () => string): Message {
  return message.messageId === '' ? { ...message, messageId: newId() } : message;
}

/** undefined when there are no words; an id where the caller gave none. */
function wordsOf(message: Message, party: Party, newId: () => string): Message | undefined {
  if (isEmptyMessage(message)) return undefined;
  return withId(storedMessage(message, party), newId);
}

/** The whole body is compared, but for what shapes the answer and for the surface that wrote; without a key nothing is, and each call counts. */
function once(context: RelayContext, call: Call, before: Handoff, operation: UpdateOperation): Once | undefined {
  const { idempotencyKey, historyLength: _length, author: _author, ...said } = operation;
  if (idempotencyKey === undefined || !context.idempotency) return undefined;
  const caller = call.principal.agent.id;
  const other = before.sender === caller ? before.recipient : before.sender;
  return {
    key: { caller, other, kind: 'update', key: `${before.id} ${idempotencyKey}` },
    digest: digest(said),
  };
}
