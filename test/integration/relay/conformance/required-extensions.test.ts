import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../relay/contract/json.ts';
import { message, reasonOf } from '../../../support/a2a-client.ts';
import { frankAndAlice } from '../../../support/frank-and-alice.ts';

/** Extensions that an agent requires (A2A 1.0.1 sections 3.2.6, 3.3.4 and 4.6). */

const { relay, frank, alice, newId, update } = await frankAndAlice();
const [NEEDED, OTHER, OPTIONAL] = ['https://vendor.example/ext/v1', 'urn:x:two', 'urn:x:optional'] as const;
const bot = await relay.agent('ext-bot', { kind: 'a2a' });
await bot.http('PUT', '/v1/agents/me/card', {
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    extensions: [
      { uri: NEEDED, required: true, description: 'How it wants things.' },
      { uri: OTHER, required: true },
      { uri: OPTIONAL },
    ],
  }),
});
const at = '/a/ext-bot';
const both = { 'a2a-extensions': `${NEEDED}, ${OTHER}` };

describe('an agent that requires extensions', () => {
  test('says so in its card, in every form', async () => {
    for (const version of ['1.0', '0.3', undefined]) {
      const { body } = await frank.http('GET', at, { headers: { 'a2a-version': version } });
      expect(JSON.parse(body)).toMatchObject({
        capabilities: {
          extensions: [
            { required: false },
            { uri: NEEDED, required: true, description: 'How it wants things.' },
            { uri: OTHER, required: true },
            { uri: OPTIONAL, required: false },
          ],
        },
      });
    }
  });

  test.each([
    ['names none', {}, `${NEEDED},${OTHER}`],
    ['names one of two', { 'a2a-extensions': NEEDED }, OTHER],
    ['names one that only begins like it', { 'a2a-extensions': `${NEEDED}/x,${OTHER}` }, NEEDED],
  ])('gets nothing from a client that %s, by whatever door', async (_, headers, missing) => {
    const before = relay.rows();
    const doors: [string, JsonObject][] = [
      [at, message(newId())],
      ['/a2a', { ...message(newId()), recipient: 'ext-bot' }],
      ['/a2a', { ...message(newId()), tenant: 'ext-bot' }],
    ];
    for (const [door, params] of doors) {
      for (const method of ['SendMessage', 'SendStreamingMessage']) {
        const error = await frank.fail(method, params, { at: door, headers });
        expect([error.code, reasonOf(error)]).toEqual([-32008, 'EXTENSION_SUPPORT_REQUIRED']);
        expect(error.data[0]).toMatchObject({ domain: 'a2a-protocol.org', metadata: { extensions: missing } });
      }
    }
    const rest = await frank.http('POST', `${at}/message:send`, {
      headers: { 'a2a-version': '1.0', 'content-type': 'application/json', ...headers },
      body: JSON.stringify(message(newId())),
    });
    expect([rest.status, rest.body]).toEqual([400, expect.stringContaining('EXTENSION_SUPPORT_REQUIRED')]);
    expect(relay.rows()).toEqual(before);
  });

  test('is reached by one that names them, in either header, and they are named back', async () => {
    for (const header of ['a2a-extensions', 'x-a2a-extensions']) {
      const headers = { [header]: `${OTHER},${NEEDED},urn:unknown` };
      const answer = await frank.rpc('SendMessage', message(newId()), { at, headers });
      expect(JSON.parse(answer.body)).toHaveProperty('result.task');
      expect(answer.headers['a2a-extensions']).toBe(`${NEEDED}, ${OTHER}`);
    }
    const optional = await frank.rpc('ListTasks', {}, { at, headers: { 'a2a-extensions': OPTIONAL } });
    expect(optional.headers['a2a-extensions']).toBe(OPTIONAL);
  });

  test('asks it of each message to it, and never of its own', async () => {
    const answer = await frank.call('SendMessage', message(newId()), { at, headers: both });
    if (!('task' in answer)) throw new Error('no task');
    const { id } = answer.task;
    await update(id, { transition: 'ask', message: 'which?' }, bot);
    const bare = await frank.fail('SendMessage', message(newId(), { taskId: id }), { at });
    expect(bare.code).toBe(-32008);
    await frank.call('SendMessage', message(newId(), { taskId: id }), { at, headers: both });
    await bot.call('SendMessage', message(newId(), { taskId: id }));
    const done = await frank.call('GetTask', { id }, { at });
    expect(done.status.state).toBe('TASK_STATE_COMPLETED');
  });

  test('asks it of words that come in our own extension, too, and of a handoff that is handed over again', async () => {
    const answer = await frank.call('SendMessage', message(newId()), { at, headers: both });
    if (!('task' in answer)) throw new Error('no task');
    const { id } = answer.task;
    const bare = await frank.fail('tasks/update', { task_id: id, message: 'and one more thing' });
    expect([bare.code, reasonOf(bare)]).toEqual([-32008, 'EXTENSION_SUPPORT_REQUIRED']);
    await frank.extension('tasks/update', { task_id: id, message: 'and one more thing' }, { headers: both });
    await update(id, { transition: 'decline', message: 'not me' }, bot);
    const again = (headers = {}) => frank.http('POST', `/v1/tasks/${id}/redeliver`, { headers });
    const refused = await again();
    expect([refused.status, refused.body]).toEqual([400, expect.stringContaining('EXTENSION_SUPPORT_REQUIRED')]);
    expect((await again(both)).status).toBe(200);
  });

  test('asks it of no step without words', async () => {
    const answer = await frank.call('SendMessage', message(newId()), { at, headers: both });
    if (!('task' in answer)) throw new Error('no task');
    expect(await update(answer.task.id, { transition: 'cancel' }, frank)).toHaveProperty('status.state', 'canceled');
  });

  test('is listed, read and cancelled by anybody whose task it is', async () => {
    expect((await frank.call('ListTasks', {}, { at })).tasks.length).toBeGreaterThan(0);
    expect(await alice.call('ListTasks', {}, { at })).toMatchObject({ tasks: [] });
  });
});
