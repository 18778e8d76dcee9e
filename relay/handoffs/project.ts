import type { Artifact, Message, StreamResponse, Task, TaskState, TaskStatus } from '../contract/a2a.ts';
import { assertNever } from '../contract/assert-never.ts';
import {
  EXTENSION_URI,
  type HandoffState,
  type HandoffView,
  type Party,
  type ThreadEvent,
} from '../contract/handoff.ts';
import { growArtifact, type GrowingArtifact } from '../contract/growing-artifact.ts';
import { isJsonObject } from '../contract/json.ts';
import type { Handoff } from '../store/ports.ts';

/** How a handoff and its log look as an A2A task: to one of its two parties, who may not see all of it. */

/** The A2A state of each of ours. */
export function taskState(state: HandoffState): TaskState {
  switch (state) {
    case 'pending':
      return 'TASK_STATE_SUBMITTED';
    case 'accepted':
      return 'TASK_STATE_WORKING';
    case 'input_required':
      return 'TASK_STATE_INPUT_REQUIRED';
    case 'completed':
      return 'TASK_STATE_COMPLETED';
    case 'failed':
      return 'TASK_STATE_FAILED';
    case 'declined':
      return 'TASK_STATE_REJECTED';
    case 'cancelled':
      return 'TASK_STATE_CANCELED';
    default:
      return assertNever(state);
  }
}

/** Handles of the two agents, as the reader knows them. */
export interface Handles {
  readonly sender: string;
  readonly recipient: string;
}

export interface TaskOptions {
  /** How many of the newest messages to show; undefined is all, 0 leaves `history` out. */
  readonly historyLength?: number;
  readonly includeArtifacts: boolean;
}

/** ISO 8601 with milliseconds, as ProtoJSON writes a Timestamp. */
export function timestamp(at: number): string {
  return new Date(at).toISOString();
}

/** The party's view of a handoff, which is also what our extension puts into the task's metadata. */
export function handoffView(handoff: Handoff, handles: Handles, viewer: Party): HandoffView {
  const { id, state, version, summary, intent, reason, sessionId, receipts } = handoff;
  return {
    task_id: id,
    role: viewer,
    sender: handles.sender,
    recipient: handles.recipient,
    state,
    version,
    summary,
    ...(intent === undefined ? {} : { intent }),
    ...(reason === undefined ? {} : { reason }),
    ...(handoff.chain === undefined ? {} : { hops: handoff.chain.hops }),
    artifact_types: [...handoff.artifactTypes],
    ...(sessionId === undefined || viewer === 'sender' ? {} : { session_id: sessionId }),
    last_actor: handoff.lastActor,
    last_version: handoff.lastVersion,
    receipts,
    created_at: handoff.createdAt,
    updated_at: handoff.updatedAt,
  };
}

/** The task as one party sees it. `events` are those of its log that are to be shown (Shown, relay/store/ports.ts). */
export function projectTask(
  handoff: Handoff,
  events: readonly ThreadEvent[],
  handles: Handles,
  viewer: Party,
  options: TaskOptions,
): Task {
  const { history, current } = conversation(handoff, events);
  const { historyLength } = options;
  const shown = historyLength === undefined ? history : historyLength === 0 ? [] : history.slice(-historyLength);
  const artifacts = options.includeArtifacts ? mergeArtifacts(events) : [];
  return {
    id: handoff.id,
    contextId: handoff.contextId,
    status: status(handoff, current),
    ...(artifacts.length === 0 ? {} : { artifacts }),
    ...(shown.length === 0 ? {} : { history: shown }),
    metadata: { [EXTENSION_URI]: handoffView(handoff, handles, viewer) },
  };
}

function status(handoff: Handoff, message: Message | undefined): TaskStatus {
  return {
    state: taskState(handoff.state),
    ...(message === undefined ? {} : { message }),
    timestamp: timestamp(handoff.statusAt),
  };
}

/**
 * The messages in order. The recipient's last one is the status message until something supersedes it, and only then
 * part of the history, so that no message is ever shown twice.
 */
function conversation(
  handoff: Handoff,
  events: readonly ThreadEvent[],
): { history: readonly Message[]; current: Message | undefined } {
  const history: Message[] = [];
  let current: Message | undefined;
  for (const event of events) {
    if (event.kind === 'artifact' || event.kind === 'receipt') continue;
    if (current !== undefined) history.push(current);
    current = undefined;
    const message = eventMessage(handoff, event);
    if (message === undefined) continue;
    if (message.role === 'ROLE_AGENT') current = message;
    else history.push(message);
  }
  return { history, current };
}

/**
 * The message of an event, in its wire form: ids and role are the relay's. A reason without a message is told as one,
 * since A2A knows no other place for it.
 */
export function eventMessage(handoff: Handoff, event: ThreadEvent): Message | undefined {
  if (event.kind === 'artifact' || event.kind === 'receipt') return undefined;
  const stored =
    event.message ??
    (event.kind === 'status' && event.reason !== undefined
      ? { messageId: `${handoff.id}-${event.version}`, role: 'ROLE_AGENT' as const, parts: [{ text: event.reason }] }
      : undefined);
  if (stored === undefined) return undefined;
  const { messageId, parts, metadata, extensions, referenceTaskIds } = stored;
  const known = metadata?.[EXTENSION_URI];
  const proposed = event.kind === 'created' ? event.proposedAction : undefined;
  return {
    messageId,
    contextId: handoff.contextId,
    taskId: handoff.id,
    role: event.actor === 'sender' ? 'ROLE_USER' : 'ROLE_AGENT',
    parts,
    metadata: {
      ...metadata,
      [EXTENSION_URI]: {
        ...(isJsonObject(known) ? known : {}),
        ...(proposed === undefined ? {} : { proposed_action: proposed }),
        author: event.author,
        version: event.version,
      },
    },
    ...(extensions === undefined ? {} : { extensions }),
    ...(referenceTaskIds === undefined ? {} : { referenceTaskIds }),
  };
}

/**
 * One event as a frame of a party's stream; undefined when that party has nothing to learn from it. Nobody gets their
 * own words back.
 * @param handoff the snapshot after the event
 */
export function projectUpdate(handoff: Handoff, event: ThreadEvent, viewer: Party): StreamResponse | undefined {
  const ids = { taskId: handoff.id, contextId: handoff.contextId };
  const metadata = { [EXTENSION_URI]: { version: event.version, state: handoff.state, author: event.author } };
  switch (event.kind) {
    case 'created':
    case 'receipt':
      return undefined;
    case 'artifact': {
      if (event.actor === viewer) return undefined;
      const { artifact, append, lastChunk } = event;
      return { artifactUpdate: { ...ids, artifact, append, lastChunk, metadata } };
    }
    case 'message':
    case 'status': {
      const isOwn = event.actor === viewer;
      if (isOwn && event.kind === 'message' && event.state === undefined) return undefined;
      const message = isOwn ? undefined : eventMessage(handoff, event);
      const state = taskState(handoff.state);
      const at = timestamp(event.at);
      return { statusUpdate: { ...ids, status: { state, ...(message && { message }), timestamp: at }, metadata } };
    }
    default:
      return assertNever(event);
  }
}

/**
 * How far the other side has got, as a frame of a stream: for readers that know our extension, since to others it would be
 * a status that says nothing new. undefined for every event that is no receipt of the other side.
 * @param handoff the snapshot after the event
 */
export function projectReceipt(handoff: Handoff, event: ThreadEvent, viewer: Party): StreamResponse | undefined {
  if (event.kind !== 'receipt' || event.actor === viewer) return undefined;
  const { id: taskId, contextId, state, statusAt, receipts } = handoff;
  const [sender, recipient] = [{ ...receipts.sender }, { ...receipts.recipient }];
  const { version, state: reached, upTo, label } = event;
  const receipt = { state: reached, up_to: upTo, ...(label === undefined ? {} : { label }) };
  return {
    statusUpdate: {
      taskId,
      contextId,
      status: { state: taskState(state), timestamp: timestamp(statusAt) },
      metadata: { [EXTENSION_URI]: { version, state, receipt, receipts: { sender, recipient } } },
    },
  };
}

/** Artifacts in the order of their first chunk; chunks that were appended are joined, others replace what was there. */
export function mergeArtifacts(events: readonly ThreadEvent[]): readonly Artifact[] {
  const merged = new Map<string, GrowingArtifact>();
  for (const event of events) {
    if (event.kind !== 'artifact') continue;
    const before = merged.get(event.artifact.artifactId);
    if (before === undefined) merged.set(event.artifact.artifactId, growArtifact(event, false));
    else before.take(event);
  }
  return [...merged.values()].map((one) => one.artifact());
}
