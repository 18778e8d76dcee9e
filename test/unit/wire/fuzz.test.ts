import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EXTENSION_URI } from '../../../relay/contract/handoff.ts';
import { RelayError } from '../../../relay/contract/reasons.ts';
import type { Json } from '../../../relay/contract/json.ts';
import type { Operation } from '../../../relay/operations/operation.ts';
import { decodeOperation } from '../../../relay/wire/a2a-1.0/decode.ts';
import { A2A_1_0 } from '../../../relay/wire/a2a-1.0/dialect.ts';
import { parseJson, UnsafeJsonError } from '../../../relay/wire/json.ts';
import { errorBody, readId, readRequest } from '../../../relay/wire/json-rpc.ts';
import { negotiate } from '../../../relay/wire/version.ts';
import { assertError, assertStreamResponse } from '../../support/a2a-1.0-schema.ts';
import { cpuTime } from './cpu-time.ts';

const SEED = 20260131;
/** Longest error, in characters: twenty violations with their paths. */
const MAX_ANSWER = 20_000;

const METHODS = [
  'SendMessage',
  'SendStreamingMessage',
  'GetTask',
  'ListTasks',
  'CancelTask',
  'SubscribeToTask',
  'GetExtendedAgentCard',
  'CreateTaskPushNotificationConfig',
  'tasks/update',
  'tasks/list',
  'message/send',
  'message/stream',
  'tasks/get',
  'tasks/cancel',
  'tasks/resubscribe',
  'tasks/send',
  'tasks/sendSubscribe',
  'Nope',
  '__proto__',
];
const WORDS = `
  message parts messageId message_id role contextId context_id taskId task_id id metadata ${EXTENSION_URI}
  configuration historyLength history_length returnImmediately tenant text raw url data mediaType filename kind type
  file bytes uri extensions recipient intent proposed_action transition session_id reason live op author state
  artifacts artifactId append last_chunk idempotency_key client_idempotency_key pageSize pageToken status
  statusTimestampAfter filter page limit cursor description __proto__
`
  .trim()
  .split(/\s+/);
const TEXTS = `
  hi a:b/c alice@acme ROLE_USER ROLE_AGENT TASK_STATE_WORKING working pending QQ== https://example.com request accept
  question propose_action 2026-01-31T12:00:00Z 10 -1 application/vnd.agentrelay.artifact+json file_diff recipient
`
  .trim()
  .split(/\s+/);
const VALUES: readonly unknown[] = [
  ...TEXTS,
  '',
  '\ud800',
  'x'.repeat(300),
  0,
  1,
  -1,
  1.5,
  1e21,
  50,
  true,
  false,
  null,
  [],
  {},
  { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }] },
  { artifactId: 'a', parts: [{ kind: 'text', text: 'hi' }] },
];

/** Trees of the protocol's own words in the wrong places, with every type of value. */
const { tree } = fc.letrec((tie) => ({
  leaf: fc.oneof(fc.constantFrom(...VALUES), fc.jsonValue({ maxDepth: 0 })),
  tree: fc.oneof(
    { maxDepth: 3 },
    tie('leaf'),
    fc.array(tie('tree'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom(...WORDS), tie('tree'), { maxKeys: 4 }),
  ),
}));
const words = fc.dictionary(fc.constantFrom(...WORDS), tree, { maxKeys: 4 });
/** A good send, and one thing that may be wrong in it, outside or inside our extension's metadata. */
const almostGood = fc
  .record({ name: fc.constantFrom(...WORDS), value: tree, inside: fc.boolean() })
  .map(({ name, value, inside }) => ({
    id: 't',
    task_id: 't',
    message: {
      messageId: 'm',
      role: 'ROLE_USER',
      parts: [{ text: 'hi' }],
      ...(inside ? { metadata: { [EXTENSION_URI]: { [name]: value } } } : { [name]: value }),
    },
  }));
const places = { message: words, metadata: words, configuration: words, filter: words, page: words };
const params = fc.oneof(words, tree, fc.record(places, { requiredKeys: [] }), almostGood, almostGood);
const request = fc
  .record({
    jsonrpc: fc.oneof({ weight: 30, arbitrary: fc.constant('2.0') }, tree),
    id: fc.oneof({ weight: 15, arbitrary: fc.integer() }, { weight: 15, arbitrary: fc.string() }, tree),
    method: fc.constantFrom(...METHODS),
    params,
  })
  .map((body) => Buffer.from(JSON.stringify(body)));
/** A body that was cut, or in which some bytes have become others. */
const damaged = fc
  .tuple(request, fc.nat(), fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 3 }))
  .map(([body, cut, changes]) => {
    const bytes = Buffer.from(body.subarray(0, body.length - (cut % 4 === 0 ? cut % body.length : 0)));
    for (const [at, value] of changes) if (bytes.length > 0) bytes[at % bytes.length] = value;
    return bytes;
  });
const body = fc.oneof(
  { weight: 12, arbitrary: request },
  { weight: 2, arbitrary: damaged },
  { weight: 1, arbitrary: fc.jsonValue().map((value) => Buffer.from(JSON.stringify(value))) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }) },
);

/** The way of a request from bytes to an operation, as relay/http goes it. */
function decode(bytes: Uint8Array, version: string): Operation | string {
  let parsed: Json = null;
  try {
    parsed = parseJson(bytes);
    const { method, params } = readRequest(parsed);
    return negotiate(method, version, undefined).decode(method, params);
  } catch (error) {
    if (!(error instanceof RelayError) || error.reason === 'INTERNAL') throw error;
    return errorBody(readId(error instanceof UnsafeJsonError ? error.body : parsed), error);
  }
}

test('10,000 requests of every kind of nonsense are read, or refused with an error that passes a strict reader', () => {
  let read = 0;
  fc.assert(
    fc.property(body, fc.constantFrom('1.0', '1.0', '0.3', '0.1', ''), (bytes, version) => {
      const result = decode(bytes, version);
      if (typeof result === 'string') {
        assertError(JSON.parse(result));
        return result.length < MAX_ANSWER;
      }
      read++;
      if (result.op !== 'send' && result.op !== 'stream') return true;
      // 0.1 has no ids of messages: the operation makes one
      const message = { ...result.message, messageId: result.message.messageId || 'made' };
      assertStreamResponse(JSON.parse(JSON.stringify(A2A_1_0.frames({})({ response: { message }, isLast: false })[0])));
      // what was read once reads the same again
      const again = decodeOperation('SendMessage', { message: JSON.parse(JSON.stringify(message)) });
      return again.op === 'send' && isDeepStrictEqual(again.message, message);
    }),
    { seed: SEED, numRuns: 10_000 },
  );
  // the nonsense is near enough to sense for a good part of it to pass
  expect(read).toBeGreaterThan(1000);
}, 120_000);

const MEGABYTE = 1_000_000;
const send = (over: object): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'SendMessage',
    params: { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }], ...over } },
  });

test.each<[string, string]>([
  ['a long text', send({ parts: [{ text: 'x'.repeat(MEGABYTE) }] })],
  ['a large file', send({ parts: [{ raw: 'QUJD'.repeat(MEGABYTE / 4) }] })],
  ['a large file with a wrong end', send({ parts: [{ raw: `${'QUJD'.repeat(MEGABYTE / 4)}!` }] })],
  ['padding only', send({ parts: [{ raw: '='.repeat(MEGABYTE) }] })],
  ['many parts', send({ parts: Array.from({ length: MEGABYTE / 4 }, () => 1) })],
  ['many references', send({ referenceTaskIds: Array.from({ length: MEGABYTE / 4 }, () => 'x') })],
  ['many keys', send({ metadata: Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`k${i}`, i])) })],
  ['a long recipient', send({ metadata: { recipient: 'a.'.repeat(MEGABYTE / 2) } })],
  ['a long id', send({ messageId: 'x'.repeat(MEGABYTE) })],
  ['a long address', send({ parts: [{ url: `https://example.com/${'a/../'.repeat(MEGABYTE / 5)}` }] })],
  [
    'a long time',
    send({})
      .replace('SendMessage', 'ListTasks')
      .replace('"message"', `"statusTimestampAfter":"${'1'.repeat(MEGABYTE)}","m"`),
  ],
  ['a long number', send({}).replace('"message"', `"historyLength":${'1'.repeat(MEGABYTE)},"message"`)],
  ['a long method', send({}).replace('SendMessage', 'X'.repeat(MEGABYTE))],
  ['many escapes', `"${'\\u0061'.repeat(MEGABYTE / 6)}"`],
  ['many quotes', '"'.repeat(MEGABYTE)],
  ['many backslashes', `"${'\\'.repeat(MEGABYTE)}`],
  ['objects in objects', '{"a":'.repeat(MEGABYTE / 5)],
])('a megabyte of %s is read or refused at once', (_, text) => {
  const bytes = new TextEncoder().encode(text);
  const spent = cpuTime(() => {
    const result = decode(bytes, '1.0');
    expect(typeof result === 'string' ? result.length : 0).toBeLessThan(MAX_ANSWER);
  });
  expect(spent).toBeLessThan(1000);
});
