import { assertNever } from '../contract/assert-never.ts';
import type { Answer, Frames } from './answer.ts';
import type { Call, RelayContext } from './context.ts';
import { extendedCard } from './extended-card.ts';
import { requireScope } from '../identity/scopes.ts';
import type { Operation, SendOperation } from './operation.ts';
import { createPushConfig, deletePushConfig, getPushConfig, listPushConfigs } from './push-configs.ts';
import { sendMessage } from './send-message.ts';
import { streamMessage, subscribe } from './streams.ts';
import { cancelTask, getTask, listHandoffs, listTasks } from './tasks.ts';
import { update } from './update.ts';
import { wantedScopes } from './wanted-scopes.ts';

/** An answer, or a stream of frames and what ends it. */
export type Performed = Answer | { readonly kind: 'stream'; readonly frames: Frames; readonly stop: () => void };

/**
 * Carries out an operation. SCOPE_REQUIRED where the caller's key may not.
 * @param isAwaited false for a notification: nobody reads what comes of it, so that nothing is waited for or streamed
 */
export async function perform(
  context: RelayContext,
  call: Call,
  operation: Operation,
  isAwaited: boolean,
): Promise<Performed> {
  requireScope(call.principal.scopes, wantedScopes(operation));
  switch (operation.op) {
    case 'send': {
      const response = await sendMessage(context, call, isAwaited ? operation : unawaited(operation));
      return { kind: 'sent', response };
    }
    case 'stream':
      if (!isAwaited) return perform(context, call, unawaited(operation), false);
      return stream(call, (stoppable) => streamMessage(context, stoppable, operation));
    case 'subscribe':
      return stream(call, (stoppable) => subscribe(context, stoppable, operation));
    case 'getTask':
      return { kind: 'task', task: await getTask(context, call, operation) };
    case 'listTasks':
      return { kind: 'tasks', page: await listTasks(context, call, operation) };
    case 'cancelTask':
      return { kind: 'task', task: await cancelTask(context, call, operation) };
    case 'createPushConfig':
      return { kind: 'pushConfig', config: await createPushConfig(context, call, operation) };
    case 'getPushConfig':
      return { kind: 'pushConfig', config: await getPushConfig(context, call, operation) };
    case 'listPushConfigs':
      return listPushConfigs(context, call, operation);
    case 'deletePushConfig':
      await deletePushConfig(context, call, operation);
      return { kind: 'nothing' };
    case 'extendedCard':
      return { kind: 'card', card: await extendedCard(context, call) };
    case 'update':
      return { kind: 'task', task: await update(context, call, operation) };
    case 'listHandoffs':
      return { kind: 'handoffs', ...(await listHandoffs(context, call, operation)) };
    default:
      return assertNever(operation);
  }
}

function unawaited(operation: SendOperation): SendOperation {
  return { ...operation, op: 'send', returnImmediately: true };
}

async function stream(call: Call, open: (call: Call) => Promise<Frames>): Promise<Performed> {
  const abort = new AbortController();
  return { kind: 'stream', frames: await open({ ...call, signal: abort.signal }), stop: () => abort.abort() };
}
