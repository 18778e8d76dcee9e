import type { StreamResponse, Task, TaskStatus } from '../contract/a2a.ts';
import { EXTENSION_URI, type Party, type ThreadEvent } from '../contract/handoff.ts';
import { projectTask, projectUpdate, taskState, timestamp, type Handles } from '../handoffs/project.ts';
import type { Handoff, PushConfig, TaskLog } from '../store/ports.ts';

/** A task with more characters than this is pushed without its older words: its receiver can ask for them. */
const WHOLE_TASK = 1_000_000;

/** What a webhook is told of. */
export interface News {
  /** The snapshot after the event. */
  readonly handoff: Handoff;
  readonly event: ThreadEvent;
  /** The side of the webhook's owner. */
  readonly party: Party;
}

/** Whether the owner of a webhook learns anything from an event: nobody is told what they said themselves. */
export function isNews({ handoff, event, party }: News): boolean {
  return projectUpdate(handoff, event, party) !== undefined;
}

/**
 * What a webhook is sent for an event: the frame that a stream would have, or, in the generations before 1.0, the task
 * as of that event.
 */
export async function tellOf(
  config: Pick<PushConfig, 'generation' | 'wakeUp'>,
  news: News,
  from: {
    readonly log: Pick<TaskLog, 'readConversation' | 'threadSize'>;
    readonly handlesOf: (handoff: Handoff) => Promise<Handles>;
  },
): Promise<StreamResponse> {
  const isTask = config.generation !== 'A2A 1.0';
  if (config.wakeUp) return wakeUp(news, isTask);
  if (isTask) return { task: await taskAt(news, from) };
  const update = projectUpdate(news.handoff, news.event, news.party);
  if (update === undefined) throw new Error('a notification without news');
  return update;
}

/** Nothing that anybody wrote: which task, where it stands, and which of its versions made the noise. */
function wakeUp({ handoff, event }: News, isTask: boolean): StreamResponse {
  const { id, contextId, state, statusAt } = handoff;
  const status: TaskStatus = { state: taskState(state), timestamp: timestamp(statusAt) };
  const metadata = { [EXTENSION_URI]: { version: event.version, state } };
  return isTask
    ? { task: { id, contextId, status, metadata } }
    : { statusUpdate: { taskId: id, contextId, status, metadata } };
}

async function taskAt(
  { handoff, event, party }: News,
  { log, handlesOf }: Parameters<typeof tellOf>[2],
): Promise<Task> {
  const isLarge = (await log.threadSize(handoff.id)) > WHOLE_TASK;
  const conversation = isLarge ? undefined : await log.readConversation(handoff.id, { artifacts: true });
  const events = conversation?.events.filter(({ version }) => version <= event.version) ?? [event];
  return projectTask(handoff, events, await handlesOf(handoff), party, { includeArtifacts: true });
}
