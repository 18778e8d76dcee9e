import type {
  Artifact,
  Message,
  SendMessageResponse,
  Task,
  TaskPushNotificationConfig,
  TaskStatus,
} from '../../contract/a2a.ts';
import { assertNever } from '../../contract/assert-never.ts';
import type { JsonObject } from '../../contract/json.ts';
import type { Answer, Frame } from '../../operations/answer.ts';
import { compact } from '../fields.ts';
import { legacyPushConfig } from '../push-config.ts';
import { encodeCard03 } from './card.ts';
import { legacyState } from '../states.ts';
import { downgradePart } from './part.ts';

/**
 * The canonical model in the JSON of A2A 0.3 (types.ts of specification 0.3.0): `kind` tells objects apart, states are
 * lower-case words. Metadata is kept as it is.
 */

export function encodeTask03(task: Task): JsonObject {
  return compact<JsonObject>({
    kind: 'task',
    id: task.id,
    contextId: task.contextId,
    status: encodeStatus03(task.status),
    artifacts: task.artifacts?.map(encodeArtifact03),
    history: task.history?.map(encodeMessage03),
    metadata: task.metadata,
  });
}

/** The result of a call. Tasks and messages are bare: 0.3 has no wrapper around them. */
export function encodeAnswer03(answer: Answer): JsonObject | readonly JsonObject[] | null {
  switch (answer.kind) {
    case 'sent':
      return encodeSent(answer.response);
    case 'task':
      return encodeTask03(answer.task);
    case 'pushConfig':
      return encodePushConfig03(answer.config);
    case 'pushConfigs':
      return answer.configs.map(encodePushConfig03);
    case 'nothing':
      return null;
    case 'card':
      return encodeCard03(answer.card);
    case 'handoffs': {
      const { tasks, nextCursor, total } = answer;
      return compact<JsonObject>({ tasks: tasks.map(encodeTask03), next_cursor: nextCursor, total });
    }
    case 'tasks': {
      const { tasks, ...rest } = answer.page;
      return { tasks: tasks.map(encodeTask03), ...rest };
    }
    default:
      return assertNever(answer);
  }
}

function encodePushConfig03({ taskId, ...config }: TaskPushNotificationConfig): JsonObject {
  return { taskId, pushNotificationConfig: legacyPushConfig(config) };
}

function encodeSent(response: SendMessageResponse): JsonObject {
  return 'task' in response ? encodeTask03(response.task) : encodeMessage03(response.message);
}

/** One event of a stream; `final` says that the stream ends with it. */
export function encodeFrame03({ response, isLast }: Frame): JsonObject {
  if ('task' in response || 'message' in response) return encodeSent(response);
  if ('statusUpdate' in response) {
    const { status, ...rest } = response.statusUpdate;
    return { kind: 'status-update', ...rest, status: encodeStatus03(status), final: isLast };
  }
  const { artifact, ...rest } = response.artifactUpdate;
  return { kind: 'artifact-update', ...rest, artifact: encodeArtifact03(artifact) };
}

export function encodeMessage03(message: Message): JsonObject {
  const { role, parts, ...rest } = message;
  return {
    kind: 'message',
    ...rest,
    role: role === 'ROLE_USER' ? 'user' : 'agent',
    parts: parts.map(downgradePart),
  };
}

function encodeStatus03({ state, message, timestamp }: TaskStatus): JsonObject {
  return compact<JsonObject>({
    state: legacyState(state),
    message: message && encodeMessage03(message),
    timestamp,
  });
}

function encodeArtifact03(artifact: Artifact): JsonObject {
  const { parts, ...rest } = artifact;
  return { ...rest, parts: parts.map(downgradePart) };
}
