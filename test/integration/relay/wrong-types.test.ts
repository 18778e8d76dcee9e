import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EXTENSION_URI } from '../../../relay/contract/handoff.ts';
import type { Json, JsonObject } from '../../../relay/contract/json.ts';
import { fieldsOf, message, readError, reasonOf, type A2aClient } from '../../support/a2a-client.ts';
import { startRelay, type TestRelay } from '../../support/relay.ts';

/** Every field of every method with a value of every type: what does not fit is named, and nothing is stored. */

let relay: TestRelay;
/** A new sender for each test, whose message ids are its own. */
let sender: A2aClient;
let alice: A2aClient;
let taskId = '';
let count = 0;

beforeAll(async () => {
  relay = await startRelay({ registration: 'open', rateLimits: { registrations: 10_000 } });
  alice = await relay.agent('alice');
});
afterAll(() => relay.close());

// and a new handoff, since what is accepted may close it
beforeEach(async () => {
  sender = await relay.agent(`frank-${++count}`);
  const answer = await sender.call('SendMessage', message(`own ${++count}`), { at: '/a/alice' });
  if ('task' in answer) taskId = answer.task.id;
});

const at = '/a/alice';

/** One value of each kind, the odd ones of each kind among them. */
const VALUES: readonly Json[] = [
  null,
  0,
  7,
  -1,
  1.5,
  1e300,
  true,
  false,
  '',
  'word',
  '7',
  [],
  [7],
  [null],
  ['word'],
  [{}],
  {},
  { x: 1 },
];

type Fits = (value: Json) => boolean;
const never: Fits = () => false;
const unset: Fits = (v) => v === null;
const string: Fits = (v) => v === null || typeof v === 'string';
const requiredString: Fits = (v) => typeof v === 'string' && v !== '';
const boolean: Fits = (v) => v === null || typeof v === 'boolean';
const object: Fits = (v) => v === null || (typeof v === 'object' && !Array.isArray(v));
const count32: Fits = (v) => v === null || v === 0 || v === 7 || v === '7';
const pageSize: Fits = (v) => v === null || v === 7 || v === '7';
const strings: Fits = (v) => v === null || (Array.isArray(v) && v.every((one) => typeof one === 'string'));
const anything: Fits = () => true;
const nothingOrEmpty: Fits = (v) => v === null || v === '';
const emptyList: Fits = (v) => v === null || (Array.isArray(v) && v.length === 0);

/** Sets one field of a deep copy. `a.b[0].c` */
function withField(params: JsonObject, path: string, value: Json): JsonObject {
  const copy = structuredClone(params) as Record<string, Json>;
  const keys = path.split(/[.[\]]+/).filter((key) => key !== '');
  let at: Record<string, Json> = copy;
  for (const key of keys.slice(0, -1)) at = at[key === 'M' ? EXTENSION_URI : key] as Record<string, Json>;
  const last = keys.at(-1) ?? '';
  at[last === 'M' ? EXTENSION_URI : last] = value;
  return copy;
}

interface Case {
  readonly method: string;
  /** A call that is right. */
  readonly params: () => JsonObject;
  /** What fits in each field; `M` is our metadata. */
  readonly fields: Readonly<Record<string, Fits>>;
  readonly by?: 'alice';
}

const sendParams = (): JsonObject => ({
  message: {
    messageId: `m${++count}`,
    role: 'ROLE_USER',
    parts: [{ text: 'words' }],
    metadata: { [EXTENSION_URI]: {} },
  },
  configuration: { returnImmediately: true },
});
const SEND_FIELDS: Case['fields'] = {
  tenant: nothingOrEmpty,
  message: never,
  'message.messageId': requiredString,
  'message.contextId': string,
  'message.taskId': nothingOrEmpty,
  'message.role': never,
  'message.parts': never,
  'message.parts[0]': never,
  'message.parts[0].text': (v) => typeof v === 'string',
  'message.parts[0].raw': unset,
  'message.parts[0].url': unset,
  'message.parts[0].data': unset,
  'message.parts[0].mediaType': string,
  'message.parts[0].filename': string,
  'message.parts[0].metadata': object,
  'message.metadata': object,
  'message.metadata.M': object,
  'message.metadata.M.recipient': nothingOrEmpty,
  'message.metadata.M.kind': nothingOrEmpty,
  'message.metadata.M.transition': nothingOrEmpty,
  'message.metadata.M.session_id': string,
  'message.metadata.M.reason': string,
  'message.metadata.M.intent': nothingOrEmpty,
  'message.metadata.M.proposed_action': unset,
  'message.metadata.M.live': object,
  'message.metadata.M.author': string,
  'message.metadata.M.idempotency_key': string,
  'message.metadata.M.artifacts': unset,
  'message.metadata.M.artifact_id': nothingOrEmpty,
  'message.metadata.M.append': unset,
  'message.metadata.M.last_chunk': unset,
  'message.metadata.recipient': nothingOrEmpty,
  // a bare `kind` that is none of ours is somebody else's
  'message.metadata.kind': anything,
  'message.metadata.client_idempotency_key': string,
  'message.extensions': strings,
  'message.referenceTaskIds': strings,
  recipient: nothingOrEmpty,
  intent: nothingOrEmpty,
  proposed_action: unset,
  configuration: object,
  'configuration.acceptedOutputModes': strings,
  'configuration.historyLength': count32,
  'configuration.returnImmediately': boolean,
  metadata: object,
};

const CASES: readonly Case[] = [
  { method: 'SendMessage', params: sendParams, fields: SEND_FIELDS },
  {
    method: 'GetTask',
    params: () => ({ id: taskId }),
    fields: { tenant: nothingOrEmpty, id: never, historyLength: count32 },
  },
  {
    method: 'CancelTask',
    params: () => ({ id: taskId }),
    fields: { tenant: nothingOrEmpty, id: never, metadata: anything },
  },
  {
    method: 'ListTasks',
    params: () => ({}),
    fields: {
      tenant: nothingOrEmpty,
      contextId: string,
      status: (v) => v === null || v === 0 || v === 7,
      pageSize,
      pageToken: nothingOrEmpty,
      historyLength: count32,
      statusTimestampAfter: nothingOrEmpty,
      includeArtifacts: boolean,
    },
  },
  {
    method: 'tasks/update',
    by: 'alice',
    params: () => ({
      task_id: taskId,
      message: { parts: [{ text: 'words' }] },
      artifacts: [{ artifactId: 'a', parts: [{ text: 'x' }] }],
    }),
    fields: {
      task_id: never,
      transition: nothingOrEmpty,
      state: nothingOrEmpty,
      session_id: string,
      reason: string,
      // a text, or a message, or none
      message: string,
      'message.messageId': string,
      'message.parts': never,
      'message.parts[0].text': (v) => typeof v === 'string',
      'message.metadata': object,
      'message.contextId': string,
      kind: nothingOrEmpty,
      artifacts: emptyList,
      'artifacts[0]': never,
      'artifacts[0].artifactId': requiredString,
      'artifacts[0].name': string,
      'artifacts[0].description': string,
      'artifacts[0].parts': never,
      'artifacts[0].metadata': object,
      'artifacts[0].extensions': strings,
      append: boolean,
      last_chunk: boolean,
      author: string,
      idempotency_key: string,
    },
  },
  {
    method: 'tasks/list',
    by: 'alice',
    params: () => ({ filter: {}, page: {} }),
    fields: {
      filter: object,
      'filter.role': nothingOrEmpty,
      'filter.status': emptyList,
      page: object,
      'page.limit': pageSize,
      'page.cursor': nothingOrEmpty,
    },
  },
];

describe.each(CASES)('$method', ({ method, params, fields, by }) => {
  test.each(Object.entries(fields))('%s', async (path, fits) => {
    const caller = by === undefined ? sender : alice;
    const wrong: unknown[] = [];
    for (const value of VALUES) {
      const before = relay.rows();
      const answer = await caller.rpc(method, withField(params(), path, value), { at });
      const isResult = 'result' in (JSON.parse(answer.body) as object);
      if (fits(value)) {
        if (!isResult) wrong.push({ value, fits: true, answer: answer.body });
        continue;
      }
      if (isResult) {
        wrong.push({ value, fits: false, answer: answer.body });
        continue;
      }
      const error = readError(answer);
      const named = fieldsOf(error).every((field) => isAbout(field, path));
      // what could be an id or a handle is one that nobody has
      const isUnknown = ['TASK_NOT_FOUND', 'RECIPIENT_NOT_FOUND'].includes(reasonOf(error) ?? '');
      const isExpected = isUnknown
        ? typeof value === 'string'
        : error.code === -32602 && named && fieldsOf(error).length > 0;
      if (!isExpected) wrong.push({ value, error });
      expect(relay.rows()).toEqual(before);
    }
    expect(wrong).toEqual([]);
  });
});

/** Whether a violation is of this field, of something in it, or of the object that now lacks it. */
function isAbout(field: string, path: string): boolean {
  const own = path.replaceAll('.M', `["${EXTENSION_URI}"]`);
  const last = own.split(/[.\]]/).at(-1) ?? '';
  return field.startsWith(own) || own.startsWith(field) || field.endsWith(last) || field === 'message.taskId';
}

describe('streams refuse alike', () => {
  test('SendStreamingMessage', async () => {
    for (const [path, fits] of Object.entries(SEND_FIELDS)) {
      for (const value of ([null, 7, 'word', {}] as const).filter((v) => !fits(v))) {
        const params = withField(sendParams(), path, value);
        const [stream, plain] = await Promise.all(
          ['SendStreamingMessage', 'SendMessage'].map((method) => sender.rpc(method, params, { at })),
        );
        expect(stream?.body).toBe(plain?.body);
      }
    }
  });

  test('SubscribeToTask', async () => {
    for (const value of VALUES) {
      const error = await sender.fail('SubscribeToTask', { id: value }, { at });
      expect(error.code).toBe(requiredString(value) ? -32001 : -32602);
    }
  });
});

describe('outside JSON-RPC', () => {
  const post = (path: string, body: Json) =>
    alice.http('POST', path, { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

  test.each<[string, string, () => JsonObject, Record<string, Fits>]>([
    [
      'receipts',
      '/v1/receipts',
      () => ({ items: [{ task_id: taskId, version: 1, state: 'surfaced' }] }),
      {
        items: never,
        'items[0]': never,
        'items[0].task_id': never,
        'items[0].version': (v) => v === 7,
        'items[0].state': never,
        'items[0].session_label': (v) => typeof v === 'string',
      },
    ],
    [
      'register',
      '/v1/register',
      () => ({ handle: `agent-${++count}` }),
      { handle: (v) => v === 'word' || v === '7', name: requiredString, kind: never },
    ],
  ])('%s', async (_, path, body, fields) => {
    for (const [field, fits] of Object.entries(fields)) {
      for (const value of VALUES) {
        const before = relay.rows();
        const answer = await post(path, withField(body(), field, value));
        if (fits(value)) {
          expect([field, value, answer.status]).toEqual([field, value, 200]);
        } else {
          expect([field, value, [400, 404].includes(answer.status)]).toEqual([field, value, true]);
          expect(JSON.parse(answer.body)).toHaveProperty('error.details.0.@type');
          expect(relay.rows()).toEqual(before);
        }
      }
    }
    for (const value of VALUES.filter((v) => !object(v) || v === null)) {
      expect((await post(path, value)).status).toBe(400);
    }
  });
});
