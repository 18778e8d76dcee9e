import type { Artifact, Message, Part, Task, TaskArtifactUpdateEvent, TaskStatus } from '../../contract/a2a.ts';
import type { JsonObject } from '../../contract/json.ts';
import type { Answer, Frame } from '../../operations/answer.ts';
import { downgradePart } from '../a2a-0.3/part.ts';
import { compact } from '../fields.ts';
import { legacyPushConfig } from '../push-config.ts';
import { legacyState } from '../states.ts';

/**
 * The canonical model in the JSON of A2A 0.1 (specification v0.1.0 section 5): every answer is a task, under the id that
 * its client gave it; artifacts are told apart by their place; messages have no id.
 */

/** The result of a call. @param alias the client's id of the task; left out, the relay's */
export function encodeAnswer01(answer: Answer, alias: string | undefined): JsonObject {
  switch (answer.kind) {
    case 'task':
      return encodeTask01(answer.task, alias);
    case 'sent':
      return 'task' in answer.response
        ? encodeTask01(answer.response.task, alias)
        : encodeMessageAsTask(answer.response.message, alias);
    case 'pushConfig': {
      // one a task: it needs no name
      const { taskId, id: _id, ...config } = answer.config;
      return { id: alias ?? taskId, pushNotificationConfig: legacyPushConfig(config) };
    }
    default:
      throw new Error(`A2A 0.1 has no answer of the kind ${answer.kind}`);
  }
}

/** Writes the events of one stream: what was there when it began first, each artifact at its place. */
export function frames01(alias: string | undefined): (frame: Frame) => readonly JsonObject[] {
  const places = new Map<string, number>();
  const placeOf = (artifactId: string): number => {
    const known = places.get(artifactId);
    if (known !== undefined) return known;
    places.set(artifactId, places.size);
    return places.size - 1;
  };
  return ({ response, isLast }) => {
    if ('task' in response) {
      const { task } = response;
      const id = alias ?? task.id;
      const artifacts = (task.artifacts ?? []).map((artifact) => ({
        id,
        artifact: encodeArtifact01(artifact, placeOf(artifact.artifactId)),
      }));
      return [...artifacts, { id, status: encodeStatus01(task.status), final: isLast }];
    }
    if ('message' in response) {
      const { id, status } = encodeMessageAsTask(response.message, alias);
      return [compact<JsonObject>({ id, status, final: true })];
    }
    if ('statusUpdate' in response) {
      const { taskId, status, metadata } = response.statusUpdate;
      return [compact<JsonObject>({ id: alias ?? taskId, status: encodeStatus01(status), final: isLast, metadata })];
    }
    return [chunk(response.artifactUpdate, alias, placeOf)];
  };
}

function chunk(
  { taskId, artifact, append, lastChunk, metadata }: TaskArtifactUpdateEvent,
  alias: string | undefined,
  placeOf: (artifactId: string) => number,
): JsonObject {
  const place = encodeArtifact01(artifact, placeOf(artifact.artifactId));
  return compact<JsonObject>({
    id: alias ?? taskId,
    artifact: { ...place, append: append ?? false, lastChunk: lastChunk ?? true },
    metadata,
  });
}

export function encodeTask01(task: Task, alias: string | undefined): JsonObject {
  return compact<JsonObject>({
    id: alias ?? task.id,
    sessionId: task.contextId,
    status: encodeStatus01(task.status),
    artifacts: task.artifacts?.map(encodeArtifact01),
    history: task.history?.map(encodeMessage01),
    metadata: task.metadata,
  });
}

/** 0.1 knows no answer without a task: it is a task that is done, with the message as its last word. */
function encodeMessageAsTask(message: Message, alias: string | undefined): JsonObject {
  return compact<JsonObject>({
    id: alias ?? message.taskId ?? message.messageId,
    sessionId: message.contextId,
    status: { state: 'completed', message: encodeMessage01(message) },
  });
}

/** 0.1 has no word for what was declined: it failed, and the message says why. */
function encodeStatus01({ state, message, timestamp }: TaskStatus): JsonObject {
  return compact<JsonObject>({
    state: state === 'TASK_STATE_REJECTED' ? 'failed' : legacyState(state),
    message: message && encodeMessage01(message),
    timestamp,
  });
}

function encodeMessage01({ role, parts, metadata }: Message): JsonObject {
  return compact<JsonObject>({
    role: role === 'ROLE_USER' ? 'user' : 'agent',
    parts: parts.map(encodePart01),
    metadata,
  });
}

function encodeArtifact01({ artifactId, name, description, parts, metadata }: Artifact, index: number): JsonObject {
  return compact<JsonObject>({
    name: name ?? artifactId,
    description,
    parts: parts.map(encodePart01),
    metadata,
    index,
  });
}

/** As 0.3 has it, under the older key. */
function encodePart01(part: Part): JsonObject {
  const { kind, ...rest } = downgradePart(part);
  return { type: kind ?? 'text', ...rest };
}
