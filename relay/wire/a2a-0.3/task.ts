import type { Artifact, Message, Task } from '../../contract/a2a.ts';
import type { JsonObject } from '../../contract/json.ts';
import { compact } from '../fields.ts';
import { legacyState } from '../states.ts';
import { downgradePart } from './part.ts';

/** A Task in the JSON of A2A 0.3 (types.ts of specification 0.3.0). Metadata is kept as it is. */
export function encodeTask03(task: Task): JsonObject {
  const { status } = task;
  return compact<JsonObject>({
    kind: 'task',
    id: task.id,
    contextId: task.contextId,
    status: compact<JsonObject>({
      state: legacyState(status.state),
      message: status.message && encodeMessage03(status.message),
      timestamp: status.timestamp,
    }),
    artifacts: task.artifacts?.map(encodeArtifact03),
    history: task.history?.map(encodeMessage03),
    metadata: task.metadata,
  });
}

function encodeMessage03(message: Message): JsonObject {
  const { role, parts, ...rest } = message;
  return {
    kind: 'message',
    ...rest,
    role: role === 'ROLE_USER' ? 'user' : 'agent',
    parts: parts.map(downgradePart),
  };
}

function encodeArtifact03(artifact: Artifact): JsonObject {
  const { parts, ...rest } = artifact;
  return { ...rest, parts: parts.map(downgradePart) };
}
