import type { ListTasksResponse, Task } from '../contract/a2a.ts';
import type { Party } from '../contract/handoff.ts';
import { sideOf } from '../identity/scopes.ts';
import type { Handoff, ListQuery } from '../store/ports.ts';
import { authorOf, visibleAs, type Call, type RelayContext } from './context.ts';
import type { CancelTaskOperation, GetTaskOperation, ListHandoffsOperation, ListTasksOperation } from './operation.ts';
import type { TaskOptions } from '../handoffs/project.ts';
import { offerAll } from './offered.ts';
import { pageToken, readPageToken } from './page-token.ts';
import { bareTask, see, taskOf, withHistory } from './read-task.ts';
import { notFound } from '../handoffs/engine.ts';

/** A page of ListTasks ends behind the task with which it reaches so many characters. */
const PAGE_SIZE = 8_000_000;

/** GetTask (A2A 1.0.1 section 3.1.3). */
export async function getTask(context: RelayContext, call: Call, operation: GetTaskOperation): Promise<Task> {
  return (await handOver(context, call, operation.id, withHistory(operation.historyLength, true))).task;
}

/**
 * A task whose thread is shown to the caller, which is thereby offered what the other side has said; with the characters
 * that were read for it.
 */
async function handOver(
  context: RelayContext,
  call: Call,
  id: string,
  options: TaskOptions,
): Promise<{ readonly task: Task; readonly size: number }> {
  const seen = await see(context, call, id, options);
  if (options.historyLength !== 0) offerAll(context, call, seen);
  return { task: taskOf(seen, options), size: seen.size };
}

/**
 * ListTasks (A2A 1.0.1 section 3.1.4), newest status first. An agent's own endpoint lists what was sent to it; another
 * caller's view of it lists what that caller sent; the relay-wide one lists both.
 */
export async function listTasks(
  context: RelayContext,
  call: Call,
  operation: ListTasksOperation,
): Promise<ListTasksResponse> {
  const { pageSize, historyLength, includeArtifacts } = operation;
  const query: ListQuery = {
    ...sidesOf(call),
    ...(operation.contextId === undefined ? {} : { contextId: operation.contextId }),
    ...(operation.states === undefined ? {} : { states: operation.states }),
    ...(operation.statusSince === undefined ? {} : { statusSince: operation.statusSince }),
    ...readPageToken('pageToken', operation.pageToken),
    limit: pageSize + 1,
    countTotal: true,
  };
  const options = withHistory(historyLength, includeArtifacts);
  const { handoffs, total } = await context.log.list(query);
  const tasks: Task[] = [];
  let size = 0;
  for (const { id } of handoffs.slice(0, pageSize)) {
    // a page may have fewer tasks than were asked for, so that none is too large to be sent
    if (size >= PAGE_SIZE) break;
    const handed = await handOver(context, call, id, options);
    tasks.push(handed.task);
    size += handed.size;
  }
  return { tasks, nextPageToken: nextToken(handoffs, tasks.length), pageSize, totalSize: total };
}

/** `tasks/list` of our extension: for a desk, whose lists need our metadata and no content. */
export async function listHandoffs(
  context: RelayContext,
  call: Call,
  operation: ListHandoffsOperation,
): Promise<{ readonly tasks: readonly Task[]; readonly nextCursor: string; readonly total?: number }> {
  const { limit, countTotal } = operation;
  const { handoffs, total } = await context.log.list({
    ...sidesOf(call, operation.role),
    ...(operation.states === undefined ? {} : { states: operation.states }),
    ...readPageToken('cursor', operation.cursor),
    limit: limit + 1,
    countTotal,
  });
  const tasks = await Promise.all(handoffs.slice(0, limit).map((handoff) => bareTask(context, call, handoff)));
  return { tasks, nextCursor: nextToken(handoffs, limit), ...(countTotal ? { total } : {}) };
}

/** CancelTask (A2A 1.0.1 section 3.1.5): by the sender, and once is as good as twice. */
export async function cancelTask(context: RelayContext, call: Call, { id }: CancelTaskOperation): Promise<Task> {
  const before = await context.log.readHandoff(id);
  if (before === undefined || visibleAs(before, call) === undefined) throw notFound(id);
  await context.engine.act(id, call.principal.agent.id, (_handoff, party) => [
    { type: 'transition', transition: 'cancel', actor: party, author: authorOf(call, undefined) },
  ]);
  return (await handOver(context, call, id, withHistory(undefined, true))).task;
}

/** Whose handoffs are listed, and which side of them: that of the endpoint, and of those that the key is for. */
function sidesOf({ principal, endpoint }: Call, wanted?: Party): Pick<ListQuery, 'viewer' | 'role' | 'other'> {
  const viewer = principal.agent.id;
  const isOwn = endpoint?.id === viewer;
  const atEndpoint = endpoint && (isOwn ? 'recipient' : 'sender');
  const role = sideOf(principal.scopes, wanted ?? atEndpoint);
  return {
    viewer,
    ...(role === undefined ? {} : { role }),
    ...(endpoint === undefined || isOwn ? {} : { other: endpoint.id }),
  };
}

/** More was read than the page shows: if it is there, so is another page. */
function nextToken(handoffs: readonly Handoff[], shown: number): string {
  const last = handoffs[shown - 1];
  return handoffs.length > shown && last !== undefined ? pageToken(last) : '';
}
