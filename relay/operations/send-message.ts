import type { Message, SendMessageResponse } from '../contract/a2a.ts';
import { EXTENSION_URI } from '../contract/handoff.ts';
import { isJsonObject } from '../contract/json.ts';
import { invalidParams, RelayError } from '../contract/reasons.ts';
import type { CreateCommand } from '../handoffs/command.ts';
import { digest } from '../handoffs/digest.ts';
import { notFound } from '../handoffs/engine.ts';
import { blank, evolve } from '../handoffs/evolve.ts';
import { eventMessage } from '../handoffs/project.ts';
import { REPLY_ARTIFACT_ID } from '../handoffs/recipient-message.ts';
import type { Agent, Committed, Handoff, IdempotencyKey, Once } from '../store/ports.ts';
import { chainOf } from './chain-of.ts';
import { authorOf, visibleAs, type Call, type RelayContext } from './context.ts';
import { guideAnswer, isGuide } from './guide.ts';
import { offerAll } from './offered.ts';
import type { NewPushConfig, SendOperation, UpdateOperation } from './operation.ts';
import { isPlainText, summarize } from './parts.ts';
import { addPushConfig, checkPushConfig, refuseOneTooMany } from './push-configs.ts';
import { reach } from './reach.ts';
import { see, seeCommitted, taskOf, withHistory, type Seen } from './read-task.ts';
import { requireExtensions, requireRecipientsExtensions } from './required-extensions.ts';
import { settled } from './settled.ts';
import { storedMessage, takeStep, withId } from './update.ts';

/** What a send came to: a handoff, or the guide's answer, which is kept nowhere. */
export type Sent = { readonly committed: Committed } | { readonly answer: Message };

/**
 * SendMessage (A2A 1.0.1 section 3.1.1). Blocking unless `returnImmediately`: answers when the handoff is closed or needs
 * input, when the recipient has nothing connected, or after the relay's own limit, with the task as it stands.
 */
export async function sendMessage(
  context: RelayContext,
  call: Call,
  operation: SendOperation,
): Promise<SendMessageResponse> {
  const sent = await send(context, call, operation);
  if ('answer' in sent) return { message: sent.answer };
  const { committed } = sent;
  const { handoff } = committed;
  const isWaiting = handoff.sender === call.principal.agent.id && !operation.returnImmediately;
  const isNews = isWaiting && (await settled(context, handoff, call));
  const options = withHistory(operation.historyLength, true);
  const seen = isNews
    ? await see(context, call, handoff.id, options)
    : await seeCommitted(context, call, committed, options);
  if (operation.historyLength !== 0) offerAll(context, call, seen);
  return answer(seen, operation);
}

/** Commits what a SendMessage or SendStreamingMessage brings: a new handoff, or a step of one. */
export async function send(context: RelayContext, call: Call, operation: SendOperation): Promise<Sent> {
  const { push, alias } = operation;
  // before anything is stored: a message that was sent is not refused for its webhook
  if (push !== undefined) await checkWebhook(context, call, operation, push);
  const sent = await commit(context, call, operation);
  if (push !== undefined && 'committed' in sent) {
    // a retry sets it once more, which changes nothing: so it is there even if the relay stopped in between
    await addPushConfig(context, call, push, await snapshotAfter(context, sent.committed, operation), alias);
  }
  return sent;
}

async function checkWebhook(
  context: RelayContext,
  call: Call,
  { message: { taskId } }: SendOperation,
  push: NewPushConfig,
): Promise<void> {
  const at = 'configuration.taskPushNotificationConfig';
  await checkPushConfig(context, push, `${at}.url`);
  // the look-up has taken its time
  context.confirm(call.principal);
  if (taskId !== undefined) await refuseOneTooMany(context, call, push, taskId, `${at}.id`);
}

/**
 * The handoff as the message left it: of a retry, as the first call did. What came since then has to be pushed, should the
 * first call have been cut off before its webhook was set.
 */
async function snapshotAfter(
  { log }: RelayContext,
  { handoff, replayed }: Committed,
  { message }: SendOperation,
): Promise<Handoff> {
  if (!replayed) return handoff;
  let then = blank(handoff);
  for (;;) {
    const page = await log.readTask(handoff.id, then.version, 256);
    for (const event of page?.events ?? []) {
      then = evolve(then, event);
      if ('message' in event && event.message?.messageId === message.messageId) return then;
    }
    // under a key of its own, a retry may have another id
    if (page?.more !== true) return handoff;
  }
}

async function commit(context: RelayContext, call: Call, operation: SendOperation): Promise<Sent> {
  const { message } = operation;
  if (message.taskId !== undefined) {
    return { committed: await followUp(context, call, operation, message.taskId) };
  }
  refuseSteps(operation);
  const recipient = await recipientOf(context, call, operation);
  if (recipient === undefined) return { answer: await guideAnswer(context, call, message) };
  requireExtensions(recipient, call);
  return { committed: await create(context, call, operation, recipient) };
}

/**
 * A recipient's `reply_only` answers with the message itself, as an agent that keeps no tasks would. Who does not wait
 * had its task at the first call, and so gets it at a retry.
 */
function answer(seen: Seen, { historyLength, returnImmediately }: SendOperation): SendMessageResponse {
  const { handoff, events, party } = seen;
  const reply =
    handoff.replyOnly && party === 'sender' && !returnImmediately
      ? events.find((event) => event.kind === 'status' && event.transition === 'reply_only')
      : undefined;
  const message = reply && eventMessage(handoff, reply);
  return message === undefined ? { task: taskOf(seen, withHistory(historyLength, true)) } : { message };
}

async function recipientOf(
  context: RelayContext,
  { endpoint }: Call,
  { message, meta }: SendOperation,
): Promise<Agent | undefined> {
  const named = meta.recipient;
  if (named === undefined) {
    if (endpoint !== undefined) return endpoint;
    if (isPlainText(message) && meta.intent === undefined) return undefined;
    throw new RelayError(
      'RECIPIENT_REQUIRED',
      'Say whom this is for: params.recipient, or recipient in the metadata of the message, or post to /a/{handle}.',
      { violations: [{ field: 'recipient', description: 'is missing' }] },
    );
  }
  if (endpoint === undefined && isGuide(context.relay, named)) return undefined;
  const recipient = await context.resolve(named);
  if (recipient === undefined) throw recipientNotFound(named);
  if (endpoint !== undefined && endpoint.id !== recipient.id) {
    throw invalidParams('recipient', `names another agent than the endpoint, which is ${endpoint.name}'s.`);
  }
  return recipient;
}

async function create(
  context: RelayContext,
  call: Call,
  operation: SendOperation,
  recipient: Agent,
): Promise<Committed> {
  const { message, meta } = operation;
  const sender = call.principal.agent;
  if (sender.id === recipient.id) throw invalidParams('recipient', 'is the sender. Hand work to somebody else.');
  const command: CreateCommand = {
    type: 'create',
    actor: 'sender',
    author: authorOf(call, meta.author),
    message: withId(storedMessage(message, 'sender'), context.newId),
    summary: summarize(message),
    ...(meta.intent === undefined ? {} : { intent: meta.intent }),
    ...(meta.proposedAction === undefined ? {} : { proposedAction: meta.proposedAction }),
    bornLive: meta.liveRequested === true,
  };
  const between = { sender: sender.id, recipient: recipient.id };
  const chain = await chainOf(context, message, command.author, between);
  const parties = {
    ...between,
    id: context.newId(),
    contextId: message.contextId ?? context.pairContextId(sender, recipient),
    ...(chain && { chain }),
  };
  const { alias } = operation;
  const { messageId: _made, ...content } = message;
  return reach(context, call, recipient, command.summary, async () => {
    // without a pause before the write: what is written later, nobody ends (relay/handoffs/abandoned.ts)
    if (context.removals.has(recipient.id)) throw recipientNotFound(recipient.name);
    if (alias === undefined) {
      return context.engine.create(parties, command, once(context, call, operation, recipient.id));
    }
    const key = aliasKey(call, recipient, alias);
    return context.engine.createOrContinue(parties, command, { key, digest: digest({ content }) });
  });
}

/** Under which key a client's own name for a task is kept. */
export function aliasKey({ principal }: Call, other: Agent, alias: string): IdempotencyKey {
  return { caller: principal.agent.id, other: other.id, kind: 'alias', key: alias };
}

/** RECIPIENT_NOT_FOUND, also for an agent that was removed. */
function recipientNotFound(recipient: string): RelayError {
  return new RelayError('RECIPIENT_NOT_FOUND', 'No agent of this relay has that handle. Nothing was sent.', {
    metadata: { recipient },
  });
}

/** What only makes sense on a handoff that is there already. */
function refuseSteps({ meta }: SendOperation): void {
  const { transition, artifacts, artifactId, append, lastChunk } = meta;
  const step = transition ?? ((artifacts ?? artifactId ?? append ?? lastChunk) === undefined ? undefined : 'artifact');
  if (step === undefined) return;
  throw invalidParams('message.taskId', `is missing: "${step}" is a step of a handoff that is there already.`);
}

async function followUp(
  context: RelayContext,
  call: Call,
  operation: SendOperation,
  taskId: string,
): Promise<Committed> {
  const { message, meta } = operation;
  const before = await context.log.readHandoff(taskId);
  const party = before && visibleAs(before, call);
  if (before === undefined || party === undefined) throw notFound(taskId);
  if (message.contextId !== undefined && message.contextId !== before.contextId) {
    throw invalidParams('message.contextId', 'is not the context of this task. Leave it out, or send the right one.');
  }
  if (meta.recipient !== undefined) await refuseOtherRecipient(context, before, meta.recipient);
  const other = party === 'sender' ? before.recipient : before.sender;
  await requireRecipientsExtensions(context, call, before, party);
  return takeStep(context, call, stepOf(operation, taskId), once(context, call, operation, other));
}

/** A message on a task, as the step that it is. */
function stepOf({ message, meta }: SendOperation, id: string): UpdateOperation {
  const { transition, sessionId, reason, kind, author, artifacts, artifactId, append, lastChunk } = meta;
  const isChunk = artifacts === undefined && (artifactId ?? append ?? lastChunk) !== undefined;
  return {
    op: 'update',
    id,
    ...(transition === undefined ? {} : { transition }),
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(reason === undefined ? {} : { reason }),
    ...(kind === undefined ? {} : { kind }),
    ...(author === undefined ? {} : { author }),
    ...(isChunk ? {} : { message }),
    artifacts: isChunk ? [{ artifactId: artifactId ?? REPLY_ARTIFACT_ID, parts: message.parts }] : (artifacts ?? []),
    append: append ?? false,
    lastChunk: lastChunk ?? append === undefined,
  };
}

/**
 * Only the message counts, and what it does: the same one with another configuration, from another surface, or with its
 * recipient named in another way or place is the same (A2A 1.0.1 section 3.3.1). Whom it is for is in the key. Under a key
 * of its own, a retry may also carry a new messageId.
 */
function once(context: RelayContext, call: Call, { message, meta }: SendOperation, other: number): Once | undefined {
  if (!context.idempotency) return undefined;
  // an intent counts where it is part of the message
  const { idempotencyKey, recipient: _recipient, author: _author, intent: _intent, ...step } = meta;
  const { messageId, metadata = {}, ...content } = message;
  const { [EXTENSION_URI]: ours = {}, recipient: _bare, ...others } = metadata;
  const { recipient: _ours, accepted_output_modes: _modes, ...said } = isJsonObject(ours) ? ours : {};
  return {
    key: { caller: call.principal.agent.id, other, kind: 'message', key: idempotencyKey ?? messageId },
    digest: digest({ content, others, said, step }),
  };
}

async function refuseOtherRecipient(context: RelayContext, handoff: Handoff, named: string): Promise<void> {
  const agent = await context.resolve(named);
  if (agent?.id === handoff.recipient || agent?.id === handoff.sender) return;
  throw invalidParams('recipient', 'is no party to this task. Leave it out when you send a taskId.');
}
