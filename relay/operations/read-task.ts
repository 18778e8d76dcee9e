import type { Task } from '../contract/a2a.ts';
import type { Party, ThreadEvent } from '../contract/handoff.ts';
import { notFound, partyOf } from '../handoffs/engine.ts';
import { projectTask, type Handles, type TaskOptions } from '../handoffs/project.ts';
import type { Committed, Handoff } from '../store/ports.ts';
import { handlesOf, visibleAs, type Call, type RelayContext } from './context.ts';

/** A handoff with what is shown of its log, as one caller may see it. */
export interface Seen {
  readonly handoff: Handoff;
  readonly events: readonly ThreadEvent[];
  readonly party: Party;
  readonly handles: Handles;
  /** Characters that the events have in the store. */
  readonly size: number;
}

/** Reads a handoff for a caller, and no more of its log than will be shown. TASK_NOT_FOUND for what is not there or theirs. */
export async function see(context: RelayContext, call: Call, taskId: string, options: TaskOptions): Promise<Seen> {
  const { historyLength, includeArtifacts } = options;
  const shown = { artifacts: includeArtifacts, ...(historyLength === undefined ? {} : { messages: historyLength }) };
  const found = await context.log.readConversation(taskId, shown);
  const party = found && visibleAs(found.handoff, call);
  if (found === undefined || party === undefined) throw notFound(taskId);
  return { ...found, party, handles: await handlesOf(context, found.handoff) };
}

/** The same of what this caller has just committed, without another look at the store where that was all there is. */
export async function seeCommitted(
  context: RelayContext,
  call: Call,
  { handoff, events }: Committed,
  options: TaskOptions,
): Promise<Seen> {
  const party = partyOf(handoff, call.principal.agent.id);
  const isWhole = events.length === handoff.version;
  if (party === undefined || !isWhole) return see(context, call, handoff.id, options);
  return { handoff, events, party, handles: await handlesOf(context, handoff), size: 0 };
}

/** The task that a caller gets to see. */
export function taskOf({ handoff, events, handles, party }: Seen, options: TaskOptions): Task {
  return projectTask(handoff, events, handles, party, options);
}

/** `historyLength` as an option that is not there when it was not given. */
export function withHistory(historyLength: number | undefined, includeArtifacts: boolean): TaskOptions {
  return historyLength === undefined ? { includeArtifacts } : { historyLength, includeArtifacts };
}

/** A task without its thread: state and metadata, read from the snapshot alone. TASK_NOT_FOUND for who is no party. */
export async function bareTask(context: RelayContext, call: Call, handoff: Handoff): Promise<Task> {
  const party = partyOf(handoff, call.principal.agent.id);
  if (party === undefined) throw notFound(handoff.id);
  const options = { historyLength: 0, includeArtifacts: false };
  return projectTask(handoff, [], await handlesOf(context, handoff), party, options);
}
