import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EXTENSION_URI } from '../../../relay/contract/handoff.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../relay/contract/json.ts';
import {
  assertAgentCard,
  assertError,
  assertListTasks,
  assertSendMessageResponse,
  assertStreamResponse,
  assertTask,
} from '../../support/a2a-1.0-schema.ts';
import { headersOf, message, type A2aClient } from '../../support/a2a-client.ts';
import { faultLog } from '../../support/fault-log.ts';
import { RawConnection, rawRequest, type RawAnswer } from '../../support/raw-connection.ts';
import { replayAll } from '../../support/replay.ts';
import { relayForTest } from '../../support/relay.ts';

const REQUESTS = 10_000;
const SEED = 20_261_130;
const CONNECTIONS = 24;
/** Far more than any answer needs, and far less than for ever. */
const PATIENCE_MS = 15_000;

/** How far back a request reaches for a handoff: most of the newest ones are still open. */
const RECENT = 30;

/** Stands for the id of a handoff that is there when the request is sent. */
const SOME_TASK = '<task>';

interface Fuzzed {
  readonly caller: 'alice' | 'frank';
  readonly verb: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
  /** Breaks the connection instead of waiting for the answer. */
  readonly drops: boolean;
}

const word = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('', '__proto__', 'constructor', 'a:b/c', '\ud800', 'x'.repeat(300)),
);
const anyJson: fc.Arbitrary<Json> = fc.jsonValue({ maxDepth: 3 }).map((value) => value as Json);

const messageArb = (step: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> =>
  fc.record({
    messageId: fc.oneof({ weight: 9, arbitrary: fc.uuid() }, { weight: 1, arbitrary: fc.constantFrom('m-1', 'm-2') }),
    role: fc.constantFrom('ROLE_USER', 'ROLE_AGENT', 1, 2),
    parts: fc.array(
      fc.oneof(
        fc.record({ text: fc.string({ unit: 'grapheme', maxLength: 40 }) }),
        fc.record({ raw: fc.base64String({ maxLength: 40 }), filename: fc.string({ maxLength: 10 }) }),
        fc.record({ url: fc.webUrl() }),
        fc.record({ data: anyJson }),
        fc.record({
          data: fc.constant({ type: 'link', url: 'https://example.com' }),
          mediaType: fc.constant('application/vnd.agentrelay.artifact+json'),
        }),
      ),
      { minLength: 1, maxLength: 3 },
    ),
    metadata: fc.record({ [EXTENSION_URI]: step, mine: anyJson }, { requiredKeys: [] }),
  }) as fc.Arbitrary<JsonObject>;

/** What a new handoff may say of itself, now and then with what it may not. */
const firstStepArb = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom<JsonObject>({}, { intent: 'inform' }, { repo: 'x', author: 'cli' }) },
  { weight: 1, arbitrary: stepArb() },
);

function stepArb(): fc.Arbitrary<JsonObject> {
  const artifact = fc.record({ artifactId: fc.constantFrom('a', 'b'), parts: fc.constant([{ text: 'x' }]) });
  return fc.record(
    {
      transition: fc.constantFrom('accept', 'ask', 'complete', 'fail', 'decline', 'cancel', 'reply_only', 'take_over'),
      kind: fc.constantFrom('message', 'question', 'information'),
      session_id: fc.constantFrom('s1', 's2'),
      reason: fc.string({ maxLength: 20 }),
      artifacts: fc.array(artifact, { maxLength: 2 }),
      append: fc.boolean(),
      last_chunk: fc.boolean(),
      idempotency_key: fc.oneof({ weight: 4, arbitrary: fc.uuid() }, { weight: 1, arbitrary: fc.constant('k1') }),
      author: fc.constantFrom('human', 'codex', 'nobody'),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<JsonObject>;
}

const taskIdArb = fc.oneof({ weight: 6, arbitrary: fc.constant(SOME_TASK) }, { weight: 1, arbitrary: word });

/** Calls that are right, or nearly so. */
const callArb: fc.Arbitrary<{ method: string; params: JsonObject }> = fc.oneof(
  ...(['SendMessage', 'SendStreamingMessage'] as const).flatMap((method) => [
    messageArb(firstStepArb).map((m) => ({ method, params: { message: m } })),
    fc.tuple(messageArb(stepArb()), taskIdArb, fc.boolean()).map(([m, taskId, returnImmediately]) => ({
      method,
      params: { message: { ...m, taskId }, configuration: { returnImmediately, historyLength: 2 } },
    })),
  ]),
  ...['GetTask', 'CancelTask', 'SubscribeToTask'].map((method) => taskIdArb.map((id) => ({ method, params: { id } }))),
  fc
    .record(
      {
        pageSize: fc.integer({ min: -1, max: 20 }),
        pageToken: word,
        status: fc.constantFrom('TASK_STATE_WORKING', 1, 8, 'x'),
        historyLength: fc.integer({ min: -1, max: 3 }),
        includeArtifacts: fc.boolean(),
        contextId: word,
      },
      { requiredKeys: ['pageSize'] },
    )
    .map((params) => ({ method: 'ListTasks', params: params as JsonObject })),
  fc
    .tuple(taskIdArb, stepArb(), fc.oneof(fc.string({ maxLength: 10 }), messageArb(stepArb())))
    .map(([task_id, step, said]) => ({
      method: 'tasks/update',
      params: { task_id, ...step, message: said },
    })),
  fc
    .constantFrom<JsonObject>({}, { filter: { role: 'recipient' } }, { page: { limit: 3 } })
    .map((params) => ({ method: 'tasks/list', params })),
  fc
    .tuple(
      fc.oneof(word, fc.constantFrom('GetExtendedAgentCard', 'CreateTaskPushNotificationConfig', 'message/send')),
      anyJson,
    )
    .map(([method, params]) => ({ method, params: { params } })),
);

/** Sets, drops or renames a member somewhere. */
function mutate(value: Json, seed: number, replacement: Json): Json {
  if (typeof value !== 'object' || value === null) return replacement;
  if (!isJsonObject(value)) {
    const at = seed % (value.length + 1);
    return value.map((one, n) => (n === at ? mutate(one, seed >> 2, replacement) : one));
  }
  const keys = Object.keys(value);
  const key = keys[seed % (keys.length + 1)];
  if (key === undefined) return { ...value, unknown: replacement };
  const { [key]: member = null, ...rest } = value;
  switch ((seed >> 3) % 4) {
    case 0:
      return rest;
    case 1:
      return { ...rest, [key.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)]: member };
    default:
      return { ...rest, [key]: mutate(member, seed >> 4, replacement) };
  }
}

const envelopeArb: fc.Arbitrary<string> = fc
  .tuple(
    callArb,
    fc.oneof(
      { weight: 8, arbitrary: fc.constant(1 as Json) },
      { weight: 1, arbitrary: fc.constant<Json>('id') },
      { weight: 1, arbitrary: anyJson },
    ),
    fc.oneof(fc.constant([]), fc.constant([]), fc.array(fc.tuple(fc.nat(), anyJson), { minLength: 1, maxLength: 2 })),
    fc.nat(99),
  )
  .map(([{ method, params }, id, mutations, dice]) => {
    const call: JsonObject = { jsonrpc: '2.0', id, method, params };
    const changed = mutations.reduce<Json>((now, [seed, value]) => {
      // mostly below params: the envelope alone is soon said
      if (seed % 8 !== 0)
        return { ...(now as JsonObject), params: mutate((now as JsonObject)['params'] ?? null, seed >> 3, value) };
      return mutate(now, seed >> 3, value);
    }, call);
    const text = JSON.stringify(dice === 0 ? [changed] : changed);
    return dice === 1 ? text.slice(0, text.length / 2) : text;
  });

const headersArb = fc.record(
  {
    'a2a-version': fc.constantFrom<(string | undefined)[]>('1.0', '1.0.1', '0.3', '', '99', undefined),
    'content-type': fc.constantFrom<(string | undefined)[]>(
      'application/json; charset=utf-8',
      'application/a2a+json',
      'text/plain',
      undefined,
    ),
    'a2a-extensions': fc.constantFrom(EXTENSION_URI, `urn:x,${EXTENSION_URI}`, ',,,'),
    authorization: fc.constantFrom<(string | undefined)[]>('Bearer x', 'Basic x', undefined),
    'x-anything': fc.string({ unit: fc.constantFrom(...'abc =;,"\\<>~'.split('')), maxLength: 50 }),
    accept: fc.constantFrom('text/event-stream', '*/*', 'nonsense'),
    'last-event-id': fc.constantFrom('x-1', '0'),
    'if-none-match': fc.constantFrom('*', '"x"', 'W/"y", z'),
    origin: fc.constant('https://evil.example'),
  },
  { requiredKeys: [] },
);

const postArb = fc.record({
  caller: fc.constantFrom('alice', 'frank'),
  verb: fc.constant('POST'),
  path: fc.oneof(
    {
      weight: 9,
      arbitrary: fc.constantFrom('/a/alice', '/a/frank', '/a2a', '/a/alice/', '/a2a/alice?A2A-Version=1.0'),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom('/a/nobody', '/v1/receipts', '/v1/register', '/a/%zz', '/x', '/a/alice%40acme'),
    },
  ),
  headers: fc.oneof({ weight: 9, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: headersArb }),
  body: fc.oneof(
    { weight: 20, arbitrary: envelopeArb },
    { weight: 1, arbitrary: anyJson.map((json) => JSON.stringify(json)) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  ),
  drops: fc.nat(39).map((dice) => dice === 0),
});

const otherArb = fc.record({
  caller: fc.constantFrom('alice', 'frank'),
  verb: fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH'),
  path: fc.oneof(
    fc.constantFrom(
      '/a/alice',
      '/a/frank/agent-card.json',
      '/.well-known/agent-card.json',
      '/.well-known/agent-card.json?id=alice',
      '/a2a',
      '/healthz',
      '/readyz',
      `/v1/tasks/${SOME_TASK}/events`,
      `/v1/tasks/${SOME_TASK}/events?after=1&limit=2`,
      '/v1/inbox/events?desk_id=d',
      '/v1/inbox/events?desk_id=e&take_over=1',
      '/v1/receipts',
    ),
    fc.string({ unit: fc.constantFrom(...'/a%?&=.:@20v1-_~'.split('')), maxLength: 30 }).map((rest) => `/${rest}`),
  ),
  headers: fc.oneof(fc.constant({}), headersArb),
  body: fc.constantFrom('', '{}'),
  drops: fc.nat(19).map((dice) => dice === 0),
});

const requestArb = fc.oneof(
  { weight: 12, arbitrary: postArb },
  { weight: 1, arbitrary: otherArb },
) as fc.Arbitrary<Fuzzed>;

test(
  'ten thousand requests of all kinds find no fault, no hang and no answer that is not exact',
  { timeout: 60_000 },
  async () => {
    const { logger, faults } = faultLog();
    const relay = await relayForTest({ logger, blockMs: 20, streamMaxAgeMs: 60_000 });
    const clients: Record<Fuzzed['caller'], A2aClient> = {
      alice: await relay.agent('alice'),
      frank: await relay.agent('frank', { kind: 'a2a' }),
    };
    const requests = fc.sample(requestArb, { seed: SEED, numRuns: REQUESTS });
    const taskIds: string[] = [];
    const seen = new Map<string, number>();
    let next = 0;

    const work = async (): Promise<void> => {
      let connection = await RawConnection.open(relay.port);
      for (let n = next++; n < requests.length; n = next++) {
        const fuzzed = requests[n];
        if (fuzzed === undefined) throw new Error('no request');
        const bytes = toBytes(fuzzed, clients[fuzzed.caller], taskIds.at(-1 - (n % RECENT)) ?? 'none yet');
        if (fuzzed.drops) {
          await connection.writeAndBreak(bytes);
          connection = await RawConnection.open(relay.port);
          continue;
        }
        connection.write(bytes);
        const answer = await patiently(connection.answer(fuzzed.verb), () => fuzzed);
        if (answer === undefined) throw new Error(`no answer to ${JSON.stringify(fuzzed)}`);
        check(fuzzed, answer, taskIds);
        const key = `${answer.status}${answer.headers.get('content-type') === 'text/event-stream' ? ' stream' : ''}`;
        seen.set(key, (seen.get(key) ?? 0) + 1);
        // a stream has the connection for itself, and refusals of a whole body end it
        if (key.endsWith('stream') || answer.headers.get('connection') === 'close') {
          connection.destroy();
          connection = await RawConnection.open(relay.port);
        }
      }
      connection.destroy();
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, work));

    expect(faults).toEqual([]);
    // it got everywhere
    expect([...seen.keys()].toSorted()).toEqual(
      expect.arrayContaining(['200', '200 stream', '204', '400', '401', '304', '403', '404', '405', '415']),
    );
    expect(taskIds.length).toBeGreaterThan(500);

    const answer = await clients.frank.call('SendMessage', message('afterwards'), { at: '/a/alice' });
    expect(answer).toHaveProperty('task.status.state');
    const { handoffs, feedsWithGaps } = replayAll(relay.dataDir);
    expect(handoffs.length).toBe(relay.rows()['task']);
    for (const { stored, replayed } of handoffs) expect(replayed).toEqual(stored);
    expect(feedsWithGaps).toEqual([]);
  },
);

function toBytes({ verb, path, headers, body }: Fuzzed, caller: A2aClient, taskId: string): Buffer {
  const all: Record<string, string> = {};
  for (const [name, value] of Object.entries({ ...headersOf(caller), ...headers }))
    if (value !== undefined) all[name] = value;
  return rawRequest(
    verb,
    path.replaceAll(SOME_TASK, taskId),
    all,
    verb === 'HEAD' || verb === 'GET' ? '' : body.replaceAll(SOME_TASK, taskId),
  );
}

async function patiently<T>(answer: Promise<T>, what: () => unknown): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`no answer in time to ${JSON.stringify(what())}`)), PATIENCE_MS);
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whatever was asked, the answer is one that a strict reader takes. */
function check({ verb, path, body }: Fuzzed, answer: RawAnswer, taskIds: string[]): void {
  const where = (): string => `${verb} ${path} ${body}\n→ ${answer.status} ${answer.body}`;
  if (answer.status >= 500) throw new Error(`a fault: ${where()}`);
  if (verb !== 'POST' || !/^\/(a|a2a)(\/|$)/.test(path) || [204, 404, 405].includes(answer.status)) return;
  try {
    if (answer.headers.get('content-type') === 'text/event-stream') {
      for (const frame of answer.body.split('\n\n').filter((text) => text !== '')) {
        const { result } = JSON.parse(frame.replace(/^data: /, '')) as { result: unknown };
        assertStreamResponse(result);
        if ('task' in result) taskIds.push(result.task.id);
      }
      return;
    }
    const json = JSON.parse(answer.body) as { readonly result?: unknown };
    if (json.result === undefined && path !== '/a/%zz') assertError(json);
    else if (json.result !== undefined) checkResult(json.result, methodOf(body), taskIds);
  } catch (error) {
    throw new Error(where(), { cause: error });
  }
}

function checkResult(result: unknown, method: string, taskIds: string[]): void {
  switch (method) {
    case 'SendMessage':
      assertSendMessageResponse(result);
      if ('task' in result) taskIds.push(result.task.id);
      return;
    case 'GetTask':
    case 'CancelTask':
      return assertTask(result);
    case 'ListTasks':
      return assertListTasks(result);
    case 'GetExtendedAgentCard':
      return assertAgentCard(result);
    case 'tasks/update':
    case 'tasks/list':
      return;
    default:
      throw new Error(`a result of "${method}"`);
  }
}

function methodOf(body: string): string {
  return (JSON.parse(body) as { method: string }).method;
}
