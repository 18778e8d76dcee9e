import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Artifact, Part } from '../../relay/contract/a2a.ts';
import { artifactPart, type TypedArtifact } from '../../relay/contract/artifact.ts';
import { assertNever } from '../../relay/contract/assert-never.ts';
import type { CommandInput, Surface } from '../../relay/contract/desk-api.ts';
import { EXTENSION_URI, type Party } from '../../relay/contract/handoff.ts';
import { isJsonObject, type JsonObject } from '../../relay/contract/json.ts';

/** The desk's commands as requests to a relay: pure, so that a repeated call is the same request to the byte. */

/** Under which key a write is done once, and which door it came through. */
export interface Writing {
  readonly key: string;
  readonly author: Surface;
}

/**
 * `SendMessage` for a new handoff.
 * @param recipient the full handle
 */
export function handoffRequest(input: CommandInput<'sendHandoff'>, recipient: string, writing: Writing): JsonObject {
  const { body, intent, proposed_action: action, artifacts = [], follows } = input;
  const meta = { recipient, ...(intent && { intent }), ...(action && { proposed_action: { ...action } }) };
  const parts = [{ text: body }, ...artifacts.map(artifactPart)];
  return messageRequest(parts, writing, meta, follows === undefined ? {} : { referenceTaskIds: [follows] });
}

/**
 * `SendMessage` on a thread.
 * @param role the side that writes: a sender's artifacts are parts of the message, a recipient's stand beside it
 */
export function threadMessageRequest(input: CommandInput<'sendMessage'>, role: Party, writing: Writing): JsonObject {
  const { task_id: taskId, body, kind, artifacts = [] } = input;
  const isSender = role === 'sender';
  const parts = [{ text: body }, ...(isSender ? artifacts.map(artifactPart) : [])];
  const own = isSender || artifacts.length === 0 ? {} : { artifacts: toArtifacts(artifacts, writing.key) };
  return messageRequest(parts, writing, { ...(kind && { kind }), ...own }, { taskId });
}

/** `tasks/update`: a step, with the message and artifacts that go with it. */
export function updateRequest(input: CommandInput<'updateHandoff'>, writing: Writing): JsonObject {
  const { task_id, transition, body, reason, artifacts = [], session_id } = input;
  return {
    task_id,
    transition,
    author: writing.author,
    idempotency_key: writing.key,
    ...(session_id && { session_id }),
    ...(reason && { reason }),
    ...(body && { message: body }),
    ...(artifacts.length > 0 && { artifacts: toArtifacts(artifacts, writing.key) }),
  };
}

/** @param refersTo members of the message itself: which tasks it is about */
function messageRequest(parts: readonly Part[], writing: Writing, meta: JsonObject, refersTo: JsonObject): JsonObject {
  const { key, author } = writing;
  return {
    message: {
      // the same call has the same id, even when its own idempotency key is not looked at
      messageId: key,
      ...refersTo,
      role: 'ROLE_USER',
      parts: parts.map((part) => ({ ...part })),
      metadata: { [EXTENSION_URI]: { ...meta, author, idempotency_key: key } },
    },
    configuration: { returnImmediately: true, historyLength: 0 },
  };
}

/** The words of a request that was made here, for people. */
export function textOfRequest(request: JsonObject): string {
  const { data: sent } = messageSchema.safeParse(request);
  if (sent !== undefined) return sent.message.parts[0]?.text ?? '';
  const { data: step } = stepSchema.safeParse(request);
  return step?.message ?? step?.reason ?? step?.transition ?? '';
}
const messageSchema = z.object({
  message: z.object({ parts: z.array(z.object({ text: z.string().exactOptional() })) }),
});
const stepSchema = z.object({
  transition: z.string(),
  message: z.string().exactOptional(),
  reason: z.string().exactOptional(),
});

/** A request that was made here, as sent by somebody else: who sends it on answers for it. */
export function sentBy(request: JsonObject, author: Surface): JsonObject {
  const { message } = request;
  if (!isJsonObject(message) || !isJsonObject(message['metadata'])) return { ...request, author };
  const meta = message['metadata'][EXTENSION_URI];
  const metadata = { [EXTENSION_URI]: { ...(isJsonObject(meta) ? meta : {}), author } };
  return { ...request, message: { ...message, metadata } };
}

/**
 * Artifacts of a recipient. Their ids are unique within the thread, since a second artifact with the id of a first
 * would replace it, and the same again when the same call is repeated.
 */
function toArtifacts(artifacts: readonly TypedArtifact[], key: string): JsonObject[] {
  const call = createHash('sha256').update(key).digest('hex').slice(0, 16);
  return artifacts.map((artifact, index): Artifact & JsonObject => ({
    artifactId: `artifact-${index + 1}-${call}`,
    name: artifactName(artifact),
    parts: [{ ...artifactPart(artifact) }],
  }));
}

/** A name for a list: where it lies, or what it is. */
export function artifactName(artifact: TypedArtifact): string {
  switch (artifact.type) {
    case 'file_diff':
      return artifact.path ?? 'diff';
    case 'file_ref':
      return artifact.path;
    case 'link':
      return artifact.title ?? artifact.url;
    case 'api_contract':
      return artifact.schema_url ?? `${artifact.format} contract`;
    case 'test_command':
    case 'test_result':
      return artifact.command;
    default:
      return assertNever(artifact);
  }
}
