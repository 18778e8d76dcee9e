import type { StreamResponse } from '../contract/a2a.ts';
import { assertNever } from '../contract/assert-never.ts';
import type { Call, RelayContext } from '../operations/context.ts';
import type { Operation, SendOperation } from '../operations/operation.ts';
import { sendMessage } from '../operations/send-message.ts';
import { streamMessage, subscribe } from '../operations/streams.ts';
import { cancelTask, getTask, listHandoffs, listTasks } from '../operations/tasks.ts';
import { update } from '../operations/update.ts';
import { encodeListTasks, encodeSendMessageResponse, encodeTask } from '../wire/a2a-1.0/encode.ts';
import { encodeTask03 } from '../wire/agentrelay/encode.ts';

/** A result that is encoded and can be framed, or a stream of what is not yet, and what ends that. */
export type Performed =
  | { readonly kind: 'json'; readonly json: string }
  | { readonly kind: 'stream'; readonly frames: AsyncIterable<StreamResponse>; readonly stop: () => void };

/**
 * Carries out an operation and encodes its answer in the dialect that asked.
 * @param isAwaited false for a notification: nobody reads what comes of it, so that nothing is waited for or streamed
 */
export async function perform(
  context: RelayContext,
  call: Call,
  operation: Operation,
  isAwaited: boolean,
): Promise<Performed> {
  switch (operation.op) {
    case 'send':
      return json(
        encodeSendMessageResponse(await sendMessage(context, call, isAwaited ? operation : unawaited(operation))),
      );
    case 'stream':
      if (!isAwaited) return perform(context, call, unawaited(operation), false);
      return stream(call, (stoppable) => streamMessage(context, stoppable, operation));
    case 'subscribe':
      return stream(call, (stoppable) => subscribe(context, stoppable, operation));
    case 'getTask':
      return json(encodeTask(await getTask(context, call, operation)));
    case 'listTasks':
      return json(encodeListTasks(await listTasks(context, call, operation)));
    case 'cancelTask':
      return json(encodeTask(await cancelTask(context, call, operation)));
    case 'update':
      return json(JSON.stringify(encodeTask03(await update(context, call, operation))));
    case 'listHandoffs': {
      const { tasks, nextCursor, total } = await listHandoffs(context, call, operation);
      return json(JSON.stringify({ tasks: tasks.map(encodeTask03), next_cursor: nextCursor, total }));
    }
    default:
      return assertNever(operation);
  }
}

function unawaited(operation: SendOperation): SendOperation {
  return { ...operation, op: 'send', returnImmediately: true };
}

function json(text: string): Performed {
  return { kind: 'json', json: text };
}

async function stream(call: Call, open: (call: Call) => Promise<AsyncIterable<StreamResponse>>): Promise<Performed> {
  const abort = new AbortController();
  return { kind: 'stream', frames: await open({ ...call, signal: abort.signal }), stop: () => abort.abort() };
}
