import { describe, expect, test } from 'vitest';
import type { Message } from '../../../relay/contract/a2a.ts';
import type { JsonObject } from '../../../relay/contract/json.ts';
import { reasonOf } from '../../support/a2a-client.ts';
import { frankAndAlice } from '../../support/frank-and-alice.ts';

/** The relay's own guide: it helps, finds agents, and keeps nothing. */

const { relay, frank, newId } = await frankAndAlice();
await relay.agent('mia', {
  displayName: 'Mia',
  role: 'frontend',
  skills: ['react', 'Tailwind CSS'],
  repos: ['apps/web/'],
});
await relay.agent('priya', { skills: ['react'], repos: ['apps/api/'] });
await relay.agent('hidden', { skills: ['cobol'], listed: false });

const textMessage = (text: string, more: JsonObject = {}): JsonObject => ({
  message: { messageId: newId(), role: 'ROLE_USER', parts: [{ text }], ...more },
});

async function ask(text: string, at = '/a2a'): Promise<Message> {
  const answer = await frank.call('SendMessage', textMessage(text), { at });
  if (!('message' in answer)) throw new Error('a task, where an answer was expected');
  return answer.message;
}
/** Whom an answer names, as data. */
function named({ parts }: Message): readonly string[] {
  const agents = parts.flatMap((part) =>
    'data' in part ? [(part.data as { agents: { handle: string }[] }).agents] : [],
  );
  return agents.flat().map(({ handle }) => handle);
}
const textOf = ({ parts }: Message): string => parts.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n');

describe('the guide', () => {
  test.each([
    ['who knows tailwind', ['mia@acme']],
    ['Who can help with react?', ['mia@acme', 'priya@acme']],
    ['who owns apps/web', ['mia@acme']],
    ['who owns apps/web/src/button.tsx?', ['mia@acme']],
    ['who owns apps?', ['mia@acme', 'priya@acme']],
    ['tailwind', ['mia@acme']],
    ['who knows about frontend', ['mia@acme']],
  ])('finds %j', async (question, handles) => {
    const answer = await ask(question);
    expect(named(answer)).toEqual(handles);
    for (const handle of handles) expect(textOf(answer)).toContain(handle);
  });

  test.each(['who knows fortran?', 'who owns docs/', 'who knows cobol'])(
    'says that nobody matches %j, and how to search',
    async (question) => {
      const answer = await ask(question);
      expect(named(answer)).toEqual([]);
      expect(textOf(answer)).toMatch(/^Nobody .*\/v1\/directory/);
    },
  );

  test.each(['hello', 'How do I hand something over to somebody else?', 'fortran'])(
    'helps with %j',
    async (question) => {
      expect(textOf(await ask(question))).toMatch(/^This is the relay "acme"\..*recipient.*\/v1\/directory/);
    },
  );

  test('says so when there are more than it names', async () => {
    for (let i = 0; i < 11; i++) await relay.agent(`many-${i}`, { skills: ['zig'] });
    const answer = await ask('who knows zig?');
    expect(named(answer)).toHaveLength(10);
    expect(textOf(answer)).toContain('/v1/directory?skill=zig');
  });

  test('answers at every relay-wide address, under its own handle, and keeps nothing', async () => {
    const before = relay.rows();
    for (const at of ['/a2a', '/a2a/', '/', '/a/guide', '/a2a/guide', '/a/guide%40acme'])
      expect(named(await ask('who knows tailwind', at))).toEqual(['mia@acme']);
    const byHandle = await frank.call('SendMessage', { ...textMessage('who knows tailwind'), recipient: 'guide@acme' });
    expect('message' in byHandle && named(byHandle.message)).toEqual(['mia@acme']);
    expect(relay.rows()).toEqual(before);
    const other = await frank.fail('SendMessage', { ...textMessage('x'), recipient: 'guide@other' });
    expect(reasonOf(other)).toBe('RECIPIENT_NOT_FOUND');
  });

  test('is at its own address as at the relay-wide one, by every binding', async () => {
    const headers = { 'a2a-version': '1.0', 'content-type': 'application/json' };
    const both = async (method: string, path: string, body?: string) =>
      Promise.all(
        ['/a2a', '/a/guide'].map(async (base) => {
          const answer = await frank.http(method, `${base}${path}`, {
            headers,
            ...(body === undefined ? {} : { body }),
          });
          return [answer.status, answer.body.replaceAll(/"(messageId|contextId)":"[^"]*"/g, '"$1":""')];
        }),
      );
    const question = JSON.stringify(textMessage('who knows tailwind'));
    for (const [wide, own] of [
      await both('GET', ''),
      await both('GET', '/extendedAgentCard'),
      await both('GET', '/tasks'),
      await both('POST', '/message:send', question),
    ]) {
      expect(wide?.[0]).toBe(200);
      expect(own).toEqual(wide);
    }
    const tenant = { ...textMessage('who knows tailwind'), tenant: 'guide' };
    expect(await frank.call('SendMessage', tenant)).toHaveProperty('message');
    expect(await frank.call('SendMessage', tenant, { at: '/a/guide' })).toHaveProperty('message');
    for (const [at, other] of [
      ['/a/guide', 'mia'],
      ['/a/guide', 'nobody'],
      ['/a/mia', 'guide'],
    ] as const) {
      expect(reasonOf(await frank.fail('SendMessage', { ...tenant, tenant: other }, { at }))).toBe('INVALID_PARAMS');
    }
  });

  test('answers over every binding and in every generation', async () => {
    const stream = await frank.stream('SendStreamingMessage', textMessage('who knows tailwind'));
    const frames = await stream.rest();
    expect(frames).toMatchObject([{ message: { role: 'ROLE_AGENT' } }]);

    const rest = await frank.http('POST', '/a2a/message:send', {
      headers: { 'a2a-version': '1.0', 'content-type': 'application/json' },
      body: JSON.stringify(textMessage('who knows tailwind')),
    });
    expect(JSON.parse(rest.body)).toMatchObject({
      message: { parts: [{}, { data: { agents: [{ handle: 'mia@acme' }] } }] },
    });

    const headers = { 'a2a-version': undefined };
    const old = (method: string, params: JsonObject) => frank.rpc(method, params, { headers });
    const parts = [{ kind: 'text', type: 'text', text: 'who knows tailwind' }];
    const in03 = await old('message/send', { message: { kind: 'message', messageId: newId(), role: 'user', parts } });
    expect(JSON.parse(in03.body)).toMatchObject({
      result: {
        kind: 'message',
        role: 'agent',
        parts: [{ kind: 'text' }, { kind: 'data', data: { skill: 'tailwind' } }],
      },
    });
    const in01 = await old('tasks/send', { id: newId(), message: { role: 'user', parts } });
    expect(JSON.parse(in01.body)).toMatchObject({
      result: { status: { state: 'completed', message: { parts: [{ type: 'text' }, { type: 'data' }] } } },
    });
  });
});
