import type { Call, RelayContext } from './context.ts';
import type { Operation } from './operation.ts';
import { aliasKey } from './send-message.ts';

/** What may be asked of a task under the client's own name for it. */
const ON_TASK = ['getTask', 'cancelTask', 'subscribe', 'createPushConfig', 'getPushConfig'] as const;
type TaskOperation = Extract<Operation, { readonly op: (typeof ON_TASK)[number] }>;

/**
 * An operation on a task under the caller's own name for it becomes one on the task, with that name as its alias. Others
 * are given back as they are. Names are the caller's with one agent: at the relay-wide endpoint there are none.
 */
export async function withoutAlias(context: RelayContext, call: Call, operation: Operation): Promise<Operation> {
  const { endpoint } = call;
  if (!isOnTask(operation) || endpoint === undefined) return operation;
  const id = await context.log.taskUnderKey(aliasKey(call, endpoint, operation.id));
  if (id === undefined) return operation;
  const onTask = { id, alias: operation.id };
  // in that generation there is no history unless a number is given
  return operation.op === 'getTask'
    ? { ...operation, ...onTask, historyLength: operation.historyLength ?? 0 }
    : { ...operation, ...onTask };
}

function isOnTask(operation: Operation): operation is TaskOperation {
  return ON_TASK.some((op) => op === operation.op);
}
