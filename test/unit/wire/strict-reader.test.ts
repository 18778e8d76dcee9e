import { describe, expect, test } from 'vitest';
import {
  assertAgentCard,
  assertError,
  assertListTasks,
  assertSendMessageResponse,
  assertStreamResponse,
  assertTask,
} from '../../support/a2a-1.0-schema.ts';
import { ARTIFACT, MESSAGE, TASK } from './samples.ts';

/** The strict reader is what other tests trust: it has to refuse what real clients of 1.0 stumble over. */

const passes = (check: () => void): boolean => {
  try {
    check();
    return true;
  } catch {
    return false;
  }
};

test.each<[string, unknown]>([
  ["0.3's discriminator", { ...TASK, kind: 'task' }],
  ['a null', { ...TASK, metadata: null }],
  ['no id', { ...TASK, id: undefined }],
  ['an empty context', { ...TASK, contextId: '' }],
  ["0.3's state", { ...TASK, status: { state: 'working' } }],
  [
    'a time without milliseconds',
    { ...TASK, status: { state: 'TASK_STATE_WORKING', timestamp: '2026-01-31T12:00:00Z' } },
  ],
  ["0.3's role", { ...TASK, history: [{ ...MESSAGE, role: 'user' }] }],
  ['a message without parts', { ...TASK, history: [{ ...MESSAGE, parts: [] }] }],
  ['a part with two contents', { ...TASK, history: [{ ...MESSAGE, parts: [{ text: 'a', data: 1 }] }] }],
  ['a part without content', { ...TASK, history: [{ ...MESSAGE, parts: [{ mediaType: 'text/plain' }] }] }],
  ['base64 in the URL alphabet', { ...TASK, history: [{ ...MESSAGE, parts: [{ raw: '-_8=' }] }] }],
  ['an artifact without id', { ...TASK, artifacts: [{ ...ARTIFACT, artifactId: '' }] }],
])('a task with %s is refused', (_, json) => {
  expect(passes(() => assertTask(json))).toBe(false);
  expect(passes(() => assertTask(TASK))).toBe(true);
});

describe.each([
  ['stream', assertStreamResponse],
  ['send', assertSendMessageResponse],
])('an answer to a %s', (_, check: (json: unknown) => void) => {
  test('holds exactly one thing', () => {
    expect(passes(() => check({ task: TASK }))).toBe(true);
    for (const json of [{}, TASK, { task: TASK, message: MESSAGE }, { task: null }, [{ task: TASK }]]) {
      expect(passes(() => check(json))).toBe(false);
    }
  });
});

test('a status update has no `final`', () => {
  const update = { taskId: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } };
  expect(passes(() => assertStreamResponse({ statusUpdate: update }))).toBe(true);
  expect(passes(() => assertStreamResponse({ statusUpdate: { ...update, final: false } }))).toBe(false);
});

test('a page has all four members', () => {
  const page = { tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 };
  expect(passes(() => assertListTasks(page))).toBe(true);
  for (const name of Object.keys(page)) {
    expect(passes(() => assertListTasks({ ...page, [name]: undefined }))).toBe(false);
  }
});

test('an error carries details, whose values are strings', () => {
  const info = {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason: 'TASK_NOT_FOUND',
    domain: 'a2a-protocol.org',
    metadata: { taskId: 't' },
  };
  const answer = (data: unknown): unknown => ({ jsonrpc: '2.0', id: 1, error: { code: -32001, message: 'No', data } });
  expect(passes(() => assertError(answer([info])))).toBe(true);
  const bad = {
    '@type': 'type.googleapis.com/google.rpc.BadRequest',
    fieldViolations: [{ field: 'a', description: 'b' }],
  };
  for (const data of [undefined, null, [], info, [{ ...info, metadata: { n: 1 } }], [{ reason: 'X' }], [bad]]) {
    expect(passes(() => assertError(answer(data)))).toBe(false);
  }
  expect(passes(() => assertError({ jsonrpc: '2.0', id: 1, result: null, error: null }))).toBe(false);
});

test('a card in its 1.0 form has none of 0.3', () => {
  const card = {
    name: 'Alice',
    description: 'Frontend',
    version: '1',
    supportedInterfaces: [{ url: 'https://relay.example/a/alice', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false, extensions: [] },
    securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } } },
    securityRequirements: [{ schemes: { bearer: { list: [] } } }],
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 's', name: 'S', description: 'd', tags: ['t'] }],
  };
  expect(passes(() => assertAgentCard(card))).toBe(true);
  const wrong = [
    { ...card, url: 'https://relay.example' },
    { ...card, skills: [] },
    { ...card, description: '' },
    { ...card, securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    { ...card, supportedInterfaces: [] },
  ];
  for (const json of wrong) expect(passes(() => assertAgentCard(json))).toBe(false);
});
