import type { JsonObject } from '../../../relay/contract/json.ts';

/** What the scripted agent does with a message: one `tasks/update` after the other (docs/extension.md), with waits. */
export type Act = { readonly update: JsonObject } | { readonly waitMs: number };

/** How long the slow one works, milliseconds: kits reconnect to it meanwhile. */
const SLOW_MS = 5000;

const accept: Act = { update: { transition: 'accept' } };

function says(text: string): JsonObject {
  return { messageId: crypto.randomUUID(), role: 'ROLE_AGENT', parts: [{ text }] };
}

function complete(text?: string): Act {
  return { update: { transition: 'complete', ...(text === undefined ? {} : { message: says(text) }) } };
}

function artifact(...parts: readonly JsonObject[]): Act {
  return { update: { artifacts: [{ artifactId: crypto.randomUUID(), parts: [...parts] }] } };
}

/** One artifact in pieces, all but the last of which say that there is more. */
function chunks(...texts: readonly string[]): readonly Act[] {
  const artifactId = crypto.randomUUID();
  return texts.map((text, index) => ({
    update: {
      artifacts: [{ artifactId, parts: [{ text }] }],
      append: index > 0,
      last_chunk: index === texts.length - 1,
    },
  }));
}

const file = Buffer.from('file content').toString('base64');
const FILE: JsonObject = { raw: file, filename: 'output.txt', mediaType: 'text/plain' };
const FILE_URL: JsonObject = { url: 'https://example.com/output.txt', filename: 'output.txt', mediaType: 'text/plain' };
const DATA: JsonObject = { data: { key: 'value', count: 42 }, mediaType: 'application/json' };

/**
 * Scripts by the prefix of the message's id, as the A2A project's compatibility kit names them. Of several that fit, the
 * longest counts.
 */
const SCRIPTS: Readonly<Record<string, () => readonly Act[]>> = {
  'tck-complete-task': () => [accept, complete('Hello from TCK')],
  'tck-artifact-text': () => [accept, artifact({ text: 'Generated text content' }), complete()],
  'tck-artifact-file': () => [accept, artifact(FILE), complete()],
  'tck-artifact-file-url': () => [accept, artifact(FILE_URL), complete()],
  'tck-artifact-data': () => [accept, artifact(DATA), complete()],
  'tck-message-response': () => [{ update: { transition: 'reply_only', message: says('Direct message response') } }],
  'tck-input-required': () => [{ update: { transition: 'ask', message: says('Please provide input') } }],
  'tck-reject-task': () => [{ update: { transition: 'decline', reason: 'Rejected, as the message asked' } }],
  'tck-task-failure': () => [accept, { update: { transition: 'fail', reason: 'Failed, as the message asked' } }],
  'tck-stream-001': () => [accept, artifact({ text: 'Stream hello from TCK' }), complete()],
  'tck-stream-002': () => [{ update: { transition: 'reply_only', message: says('Stream message only') } }],
  'tck-stream-003': () => [accept, artifact({ text: 'Stream task lifecycle' }), complete()],
  'tck-stream-ordering-001': () => [
    accept,
    artifact({ text: 'Ordered output' }),
    artifact({ text: 'More ordered output' }),
    complete(),
  ],
  'tck-stream-artifact-text': () => [accept, artifact({ text: 'Streamed text content' }), complete()],
  'tck-stream-artifact-file': () => [accept, artifact(FILE), complete()],
  'tck-stream-artifact-chunked': () => [accept, ...chunks('chunk-1 ', 'chunk-2'), complete()],
  'test-resubscribe-message-id': () => [accept, { waitMs: SLOW_MS }, complete('Slow, but done')],
  'tck-slow': () => [accept, { waitMs: SLOW_MS }, complete('Slow, but done')],
};

/** What to do with a new task. A message that no script is for is echoed. */
export function scriptFor(messageId: string, text: string): readonly Act[] {
  const fitting = Object.keys(SCRIPTS).filter((prefix) => messageId.startsWith(prefix));
  const longest = fitting.toSorted((a, b) => b.length - a.length)[0];
  const script = longest === undefined ? undefined : SCRIPTS[longest];
  return script?.() ?? [accept, complete(text === '' ? 'Received' : `You said: ${text}`)];
}

/** What to do when a question was answered. */
export function answered(text: string): readonly Act[] {
  return [complete(`Thank you for: ${text}`)];
}
