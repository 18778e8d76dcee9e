import type { Message } from '../../contract/a2a.ts';
import { transitionSchema, type HandoffState, type Transition } from '../../contract/handoff.ts';
import type { JsonObject } from '../../contract/json.ts';
import { RelayError } from '../../contract/reasons.ts';
import type { ListHandoffsOperation, UpdateOperation } from '../../operations/operation.ts';
import { readAnyPart } from '../a2a-0.3/part.ts';
import { readMessageRest, readParts } from '../a2a-1.0/message.ts';
import { compact, Fields, MAX_ID, MAX_INT32, MAX_TOKEN, Violations } from '../fields.ts';
import { statesOfAnyName } from '../states.ts';
import { methodNotFound } from '../method-not-found.ts';
import { readUpdateMeta, withSharedMetadata } from './meta.ts';

const DEFAULT_LIMIT = 50;
const MAX_STATUSES = 32;

/**
 * A call of our extension, `tasks/update` or `tasks/list` (docs/extension.md). Names in either spelling.
 *
 * @throws RelayError INVALID_PARAMS naming all that is wrong (at most 20 things), METHOD_NOT_FOUND,
 *   UNSUPPORTED_OPERATION, and nothing else
 */
export function decodeExtension(
  method: string,
  params: JsonObject | undefined,
): UpdateOperation | ListHandoffsOperation {
  const fields = new Fields('', params ?? {}, new Violations());
  const operation = read(method, fields);
  fields.violations.throwIfAny();
  return operation;
}

function read(method: string, params: Fields): UpdateOperation | ListHandoffsOperation {
  switch (method) {
    case 'tasks/update':
      return readUpdate(params);
    case 'tasks/list':
      return readList(params);
    default:
      throw methodNotFound(method, '1.0');
  }
}

/**
 * `{task_id, transition, session_id?, reason?, message?, artifacts?, append?, last_chunk?, idempotency_key?,
 * history_length?, …}`.
 * `state` names a transition by where it leads; `message` may be a text.
 */
function readUpdate(params: Fields): UpdateOperation {
  const id = readTaskId(params);
  const messageFields = typeof params.get('message') === 'string' ? undefined : params.fields('message');
  const meta = readUpdateMeta(params, messageFields);
  if (meta.liveRequested === true) {
    throw new RelayError('UNSUPPORTED_OPERATION', 'This relay cannot make an open handoff live yet. Send messages.');
  }
  return compact<UpdateOperation>({
    op: 'update',
    id,
    transition: readTransition(params, meta.transition),
    sessionId: meta.sessionId,
    reason: meta.reason,
    message: readUpdateMessage(params, messageFields, id),
    kind: meta.kind,
    artifacts: meta.artifacts ?? [],
    append: meta.append ?? false,
    // neither flag: the artifact is whole; with `append`, lastChunk is false by default, as in A2A
    lastChunk: meta.lastChunk ?? meta.append === undefined,
    author: meta.author,
    idempotencyKey: meta.idempotencyKey,
    historyLength: params.integer('history_length', 0, MAX_INT32),
  });
}

/** `task_id`; `id`, as A2A's own methods have it, will do. */
function readTaskId(params: Fields): string {
  const isPlainId = params.get('task_id') === undefined && params.get('id') !== undefined;
  return params.requiredString(isPlainId ? 'id' : 'task_id', MAX_ID);
}

/** Where each transition leads. For a state without a transition, the first of them all that leads there is meant. */
const TARGETS: Readonly<Record<Transition, HandoffState>> = {
  accept: 'accepted',
  take_over: 'accepted',
  ask: 'input_required',
  complete: 'completed',
  reply_only: 'completed',
  fail: 'failed',
  decline: 'declined',
  cancel: 'cancelled',
};

function readTransition(params: Fields, named: Transition | undefined): Transition | undefined {
  const name = params.string('state');
  if (name === undefined) return named;
  const [state] = statesOfAnyName(name) ?? [];
  if (named !== undefined) {
    if (TARGETS[named] !== state) params.refuse('state', `contradicts the transition ${named}`);
    return named;
  }
  const transition = transitionSchema.options.find((t) => TARGETS[t] === state);
  if (transition === undefined) params.refuse('state', 'must be a state that a transition leads to, such as working');
  return transition;
}

/**
 * A text, or a message with parts in 1.0 or 0.3 form. The relay sets the role from the credential, so what the message
 * says of it is not read; without a messageId the id is empty, for the operation to make one.
 */
function readUpdateMessage(params: Fields, message: Fields | undefined, taskId: string): Message | undefined {
  const text = params.get('message');
  const common = { role: 'ROLE_AGENT' } as const;
  if (typeof text === 'string' && text !== '') {
    return withSharedMetadata({ messageId: '', ...common, parts: [{ text }] }, params);
  }
  if (message === undefined) return undefined;
  const rest = readMessageRest(message);
  if (rest.taskId !== undefined && rest.taskId !== taskId) message.refuse('taskId', 'is not the task of this call');
  const messageId = message.string('messageId', MAX_ID) ?? '';
  return withSharedMetadata(
    compact<Message>({ messageId, ...common, parts: readParts(message, readAnyPart), ...rest }),
    params,
  );
}

/** `{filter: {role?, status?: […]}, page: {limit?, cursor?, total?}}`. One status need not be a list. */
function readList(params: Fields): ListHandoffsOperation {
  const filter = params.fields('filter');
  const page = params.fields('page');
  return compact<ListHandoffsOperation>({
    op: 'listHandoffs',
    role: filter?.choice('role', ['sender', 'recipient'] as const),
    states: filter && readStates(filter),
    limit: page?.integer('limit', 1, 100) ?? DEFAULT_LIMIT,
    cursor: page?.string('cursor', MAX_TOKEN),
    countTotal: page?.boolean('total') ?? false,
  });
}

/** An empty list filters nothing; only states that no handoff is ever in (auth-required) match none. */
function readStates(filter: Fields): readonly HandoffState[] | undefined {
  const status = filter.get('status');
  const names = typeof status === 'string' ? [status] : filter.list('status', MAX_STATUSES);
  if (names === undefined || names.length === 0) return undefined;
  const states = names.flatMap((name, i) => {
    const found = typeof name === 'string' ? statesOfAnyName(name) : undefined;
    if (found === undefined) filter.refuse(`status[${i}]`, 'must be the name of a state, such as pending');
    return found ?? [];
  });
  return [...new Set(states)];
}
