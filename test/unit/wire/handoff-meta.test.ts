import { describe, expect, test } from 'vitest';
import { EXTENSION_URI } from '../../../relay/contract/handoff.ts';
import type { Json, JsonObject } from '../../../relay/contract/json.ts';
import type { HandoffMeta, SendOperation } from '../../../relay/operations/operation.ts';
import { decodeOperation } from '../../../relay/wire/a2a-1.0/decode.ts';
import { reasonOf, wrongFields } from './refused.ts';

const M = `message.metadata["${EXTENSION_URI}"]`;
const MESSAGE = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }] };

/** A send whose message has this metadata, beside these params. */
function send(metadata: JsonObject | undefined, params: JsonObject = {}): SendOperation {
  const message = metadata === undefined ? MESSAGE : { ...MESSAGE, metadata };
  const operation = decodeOperation('SendMessage', { ...params, message });
  if (operation.op !== 'send') throw new Error(operation.op);
  return operation;
}
const meta = (words: JsonObject): HandoffMeta => send({ [EXTENSION_URI]: words }).meta;
const stored = (metadata: JsonObject, params?: JsonObject): JsonObject | undefined =>
  send(metadata, params).message.metadata;

const PROPOSAL = { description: 'Fix it', target_files: ['a.ts'], rationale: 'It is broken' };

test('a message without metadata says nothing', () => {
  expect(send(undefined).meta).toEqual({});
  expect(send({}).meta).toEqual({});
  expect(send({ other: { recipient: 'x' } }).meta).toEqual({});
});

test('every member is read, in either spelling', () => {
  const words = {
    recipient: 'alice@acme',
    kind: 'question',
    transition: 'ask',
    session_id: 's-1',
    reason: 'Because',
    intent: 'propose_action',
    proposed_action: PROPOSAL,
    live: { op: 'request', lease_s: 60 },
    author: 'codex',
    idempotency_key: 'k-1',
    artifacts: [{ artifact_id: 'a', parts: [{ text: 'x' }] }],
    artifact_id: 'reply',
    append: true,
    last_chunk: false,
  };
  const expected: HandoffMeta = {
    recipient: 'alice@acme',
    kind: 'question',
    transition: 'ask',
    sessionId: 's-1',
    reason: 'Because',
    intent: 'propose_action',
    proposedAction: PROPOSAL,
    liveRequested: true,
    author: 'codex',
    idempotencyKey: 'k-1',
    artifacts: [{ artifactId: 'a', parts: [{ text: 'x' }] }],
    artifactId: 'reply',
    append: true,
    lastChunk: false,
  };
  expect(meta(words)).toEqual(expected);
  const { session_id, proposed_action, idempotency_key, artifact_id, last_chunk, ...rest } = words;
  expect(
    meta({
      ...rest,
      sessionId: session_id,
      proposedAction: proposed_action,
      idempotencyKey: idempotency_key,
      artifactId: artifact_id,
      lastChunk: last_chunk,
    }),
  ).toEqual(expected);
});

describe('the recipient', () => {
  const EXT = (recipient: Json): JsonObject => ({ [EXTENSION_URI]: { recipient } });

  test.each<[string, JsonObject | undefined, JsonObject]>([
    ["the message's extension metadata", EXT('alice@acme'), {}],
    ["the params' extension metadata", undefined, { metadata: EXT('alice@acme') }],
    ["the message's metadata", { recipient: 'alice@acme' }, {}],
    ["the params' metadata", undefined, { metadata: { recipient: 'alice@acme' } }],
    ['the params', undefined, { recipient: 'alice@acme' }],
  ])('may stand in %s', (_, metadata, params) => {
    expect(send(metadata, params).meta.recipient).toBe('alice@acme');
  });

  test('may be repeated, more or less fully', () => {
    expect(send({ ...EXT('Alice'), recipient: 'alice' }, { recipient: 'ALICE@acme' }).meta.recipient).toBe(
      'alice@acme',
    );
    expect(meta({ recipient: 'alice' }).recipient).toBe('alice');
  });

  test('may not be contradicted', () => {
    expect(wrongFields(() => send({ ...EXT('alice'), recipient: 'mia' }))).toEqual(['message.metadata.recipient']);
    expect(wrongFields(() => send(EXT('alice@acme'), { recipient: 'alice@vendor' }))).toEqual(['recipient']);
  });

  test.each<Json>([
    'a:b',
    'a/b',
    'a@b@c',
    '@acme',
    'alice@',
    '-alice',
    'älice',
    'a b',
    'x'.repeat(10_000),
    5,
    [],
    {},
    true,
  ])('is a handle, and not %.30j', (recipient) => {
    expect(wrongFields(() => meta({ recipient }))).toEqual([`${M}.recipient`]);
    expect(wrongFields(() => send(undefined, { recipient }))).toEqual(['recipient']);
  });
});

describe('the kind', () => {
  test.each(['message', 'question', 'information'])('%s is one of ours', (kind) => {
    expect(meta({ kind }).kind).toBe(kind);
    expect(send({ kind }).meta.kind).toBe(kind);
  });

  test('response is another word for message', () => {
    expect(meta({ kind: 'response' }).kind).toBe('message');
    expect(send({ kind: 'response' }).meta.kind).toBe('message');
  });

  test.each<Json>(['invoice', 5, { a: 1 }, null])('outside our metadata, %j belongs to somebody else', (kind) => {
    expect(send({ kind }).meta.kind).toBeUndefined();
    expect(stored({ kind })).toEqual({ kind });
  });

  test('in our metadata wins over a bare one', () => {
    expect(send({ kind: 'question', [EXTENSION_URI]: { kind: 'information' } }).meta.kind).toBe('information');
  });
});

describe('the idempotency key', () => {
  test.each<[string, JsonObject | undefined, JsonObject]>([
    ['ours', { [EXTENSION_URI]: { idempotency_key: 'k' } }, {}],
    ['its old name in ours', { [EXTENSION_URI]: { client_idempotency_key: 'k' } }, {}],
    ['the bare old name', { client_idempotency_key: 'k' }, {}],
    ["the bare old name in the params' metadata", undefined, { metadata: { client_idempotency_key: 'k' } }],
  ])('may be %s', (_, metadata, params) => {
    expect(send(metadata, params).meta.idempotencyKey).toBe('k');
  });
});

describe('intent and proposed action', () => {
  test('go together, in the metadata or among the params', () => {
    expect(meta({ intent: 'inform' })).toEqual({ intent: 'inform' });
    const params = { intent: 'propose_action', proposed_action: { ...PROPOSAL, suggested_diff: '@@' } };
    expect(send(undefined, params).meta).toEqual({
      intent: 'propose_action',
      proposedAction: { ...PROPOSAL, suggested_diff: '@@' },
    });
  });

  test('neither goes without the other', () => {
    expect(wrongFields(() => meta({ intent: 'propose_action' }))).toEqual([`${M}.proposed_action`]);
    expect(wrongFields(() => meta({ intent: 'inform', proposed_action: PROPOSAL }))).toEqual([`${M}.proposed_action`]);
    expect(wrongFields(() => meta({ proposed_action: PROPOSAL }))).toEqual([`${M}.proposed_action`]);
  });

  test('a proposed action has all its members', () => {
    expect(wrongFields(() => meta({ intent: 'propose_action', proposed_action: { description: '' } }))).toEqual([
      `${M}.proposed_action.description`,
      `${M}.proposed_action.target_files`,
      `${M}.proposed_action.rationale`,
    ]);
  });
});

describe('live', () => {
  test('is asked for, or is an echo that asks for nothing', () => {
    expect(meta({ live: { op: 'request' } }).liveRequested).toBe(true);
    expect(meta({ live: { state: 'active', lease_ms: 5 } })).toEqual({});
  });

  test.each(['accept', 'refuse', 'renew', 'pause', 'resume', 'end'])('%s is not known yet', (op) => {
    expect(reasonOf(() => meta({ live: { op } }))).toBe('UNSUPPORTED_OPERATION');
  });

  test('has no other steps', () => {
    expect(wrongFields(() => meta({ live: { op: 'dance' } }))).toEqual([`${M}.live.op`]);
    expect(wrongFields(() => meta({ live: true }))).toEqual([`${M}.live`]);
  });
});

describe('artifacts', () => {
  const artifact = (parts: Json): Json => ({ artifactId: 'a', parts });
  const wrongArtifacts = (artifacts: Json): string[] =>
    wrongFields(() => meta({ artifacts })).map((field) => field.replace(`${M}.artifacts`, ''));

  test('are read with all their members', () => {
    const full = {
      artifactId: 'a',
      name: 'Result',
      description: 'What came out',
      parts: [
        {
          data: { type: 'test_result', command: 'npm test', exit_code: 0 },
          mediaType: 'application/vnd.agentrelay.artifact+json',
        },
      ],
      metadata: { k: null },
      extensions: ['urn:x'],
    };
    expect(meta({ artifacts: [{ ...full, unknown: 1 }] }).artifacts).toEqual([full]);
  });

  test('may have parts in the form of 0.3, and older', () => {
    const parts = [
      { kind: 'text', text: 'a' },
      { type: 'text', text: 'b' },
      { kind: 'file', file: { bytes: 'QQ', name: 'a.bin', mimeType: 'x/y' }, metadata: { k: 1 } },
      { type: 'file', file: { uri: 'https://x/y' } },
      { file: { fileWithBytes: 'QQ==' } },
      { kind: 'data', data: { a: 1 } },
      { kind: 'data', data: { value: [1] }, metadata: { data_part_compat: true } },
    ];
    expect(meta({ artifacts: [artifact(parts)] }).artifacts?.[0]?.parts).toEqual([
      { text: 'a' },
      { text: 'b' },
      { raw: 'QQ==', filename: 'a.bin', mediaType: 'x/y', metadata: { k: 1 } },
      { url: 'https://x/y' },
      { raw: 'QQ==' },
      { data: { a: 1 } },
      { data: [1] },
    ]);
  });

  test.each<[string, Json]>([
    ['[0].artifactId', [{ parts: [{ text: 'x' }] }]],
    ['[0].artifactId', [{ artifactId: 'x'.repeat(257), parts: [{ text: 'x' }] }]],
    ['[0].parts', [{ artifactId: 'a' }]],
    ['[0].parts', [artifact([])]],
    ['[0].parts[0]', [artifact([{ kind: 'file' }])]],
    ['[0].parts[0].raw', [artifact([{ kind: 'file', file: { bytes: '!' } }])]],
    [
      '[0].parts[0].data.diff',
      [artifact([{ data: { type: 'file_diff' }, mediaType: 'application/vnd.agentrelay.artifact+json' }])],
    ],
    ['[0]', ['x']],
    ['', 'x'],
    ['', { artifactId: 'a' }],
    ['', Array.from({ length: 65 }, () => artifact([{ text: 'x' }]))],
  ])('that are wrong in "%s" are refused (%#)', (where, artifacts) => {
    expect(wrongArtifacts(artifacts)).toEqual([where]);
  });
});

test.each<[string, Json[]]>([
  ['kind', ['invoice', 1, [], {}, true]],
  ['transition', ['answer', 'give_up', 'ACCEPT', 1, [], {}]],
  ['session_id', [1, [], {}, 'x'.repeat(257)]],
  ['reason', [1, [], {}, 'x'.repeat(4097)]],
  ['intent', ['order', 1, [], {}]],
  ['author', [1, [], {}]],
  ['idempotency_key', [1, [], {}, 'x'.repeat(257)]],
  ['artifact_id', [1, [], {}, 'x'.repeat(257)]],
  ['append', ['true', 1, [], {}]],
  ['last_chunk', ['true', 0, [], {}]],
])('a %s of the wrong type is refused', (name, values) => {
  for (const value of values) expect(wrongFields(() => meta({ [name]: value }))).toEqual([`${M}.${name}`]);
});

test('a surface that is not known is not believed, and no reason to refuse', () => {
  expect(meta({ author: 'some-new-agent' })).toEqual({});
});

test('metadata of our extension that is no object is refused', () => {
  for (const value of ['x', 1, true, []]) expect(wrongFields(() => send({ [EXTENSION_URI]: value }))).toEqual([M]);
  expect(wrongFields(() => send(undefined, { metadata: 'x' }))).toEqual(['metadata']);
  expect(wrongFields(() => send(undefined, { metadata: { [EXTENSION_URI]: 1 } }))).toEqual([
    `metadata["${EXTENSION_URI}"]`,
  ]);
});

describe('the message that is kept', () => {
  test('keeps metadata that is not ours as it came', () => {
    const metadata = {
      a: [1, { b: null }],
      recipient: 'alice',
      client_idempotency_key: 'k',
      nested: { [EXTENSION_URI]: 1 },
    };
    expect(stored(metadata)).toBe(metadata);
  });

  test('keeps of ours what a client may say, and names that we do not know', () => {
    const said = {
      recipient: 'alice',
      kind: 'question',
      intent: 'inform',
      base_commit: 'abc',
      repo: 'web',
      new_word: { a: 1 },
    };
    expect(stored({ other: 1, [EXTENSION_URI]: said })).toEqual({ other: 1, [EXTENSION_URI]: said });
  });

  test('drops what is private, what only the relay may say, and what has its own place', () => {
    const words = {
      transition: 'accept',
      session_id: 's',
      sessionId: 's',
      reason: 'r',
      live: { state: 'active' },
      author: 'human',
      receipts: { sender: { acked: 9 } },
      state: 'completed',
      version: 99,
      sender: 'mia',
      role: 'sender',
      idempotency_key: 'k',
      idempotencyKey: 'k',
      artifacts: [{ artifactId: 'a', parts: [{ text: 'x' }] }],
      artifact_id: 'a',
      append: true,
      last_chunk: true,
      lastChunk: true,
      created_at: 1,
      updatedAt: 1,
    };
    expect(stored({ [EXTENSION_URI]: { ...words, repo: 'web' } })).toEqual({ [EXTENSION_URI]: { repo: 'web' } });
    expect(stored({ [EXTENSION_URI]: words })).toBeUndefined();
    expect(stored({ other: 1, [EXTENSION_URI]: words })).toEqual({ other: 1 });
  });

  test("takes in what the params' metadata said; the message's own words win", () => {
    const params = { metadata: { trace: 1, [EXTENSION_URI]: { repo: 'web', base_commit: 'abc', session_id: 's' } } };
    expect(stored({ a: 1, [EXTENSION_URI]: { repo: 'api' } }, params)).toEqual({
      a: 1,
      [EXTENSION_URI]: { repo: 'api', base_commit: 'abc' },
    });
    expect(send(undefined, params).message.metadata).toEqual({ [EXTENSION_URI]: { repo: 'web', base_commit: 'abc' } });
  });
});
