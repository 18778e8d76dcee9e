import { describe, expect, test } from 'vitest';
import { EXTENSION_URI } from '../../../relay/contract/handoff.ts';
import type { JsonObject } from '../../../relay/contract/json.ts';
import type { A2aClient } from '../../support/a2a-client.ts';
import { at, frankAndAlice } from '../../support/frank-and-alice.ts';

const { relay, frank, alice, newId, send, update } = await frankAndAlice();

async function redeliver(client: A2aClient, id: string): Promise<{ status: number; body: JsonObject }> {
  const { status, body } = await client.http('POST', `/v1/tasks/${id}/redeliver`);
  return { status, body: JSON.parse(body) as JsonObject };
}
async function reasonOf(client: A2aClient, id: string): Promise<unknown> {
  const { status, body } = await redeliver(client, id);
  const { error } = body as { error?: { details: { reason?: string }[] } };
  return [status, error?.details.at(-1)?.reason];
}
const proposal: JsonObject = {
  message: {
    messageId: newId(),
    role: 'ROLE_USER',
    parts: [{ text: 'Answer 429' }, { data: { type: 'test_command', command: 'npm test' } }],
    referenceTaskIds: ['an-older-one'],
    metadata: {
      'https://example.com/theirs': { kept: true },
      [EXTENSION_URI]: {
        intent: 'propose_action',
        proposed_action: { description: 'Fix it', target_files: ['a.ts'], rationale: 'clients retry on 429' },
      },
    },
  },
  configuration: { returnImmediately: true },
};

describe('a handoff that ended without success', () => {
  test('is handed over again whole, as a new one that refers to it, once', async () => {
    const before = await send(proposal);
    await update(before.id, { transition: 'accept' });
    await update(before.id, { transition: 'fail', reason: 'the database is gone' });
    const { status, body } = await redeliver(frank, before.id);
    expect([status, body]).toEqual([200, { task_id: expect.any(String), webhooks: 0 }]);
    const { task_id: id } = body as { task_id: string };
    expect(id).not.toBe(before.id);
    const after = await alice.call('GetTask', { id }, { at });
    expect(after).toMatchObject({ contextId: before.contextId, status: { state: 'TASK_STATE_SUBMITTED' } });
    const [first] = after.history ?? [];
    expect(first).toMatchObject({
      parts: [{ text: 'Answer 429' }, { data: { type: 'test_command' } }],
      referenceTaskIds: ['an-older-one', before.id],
      metadata: {
        'https://example.com/theirs': { kept: true },
        [EXTENSION_URI]: { proposed_action: { description: 'Fix it', target_files: ['a.ts'] } },
      },
    });
    const view = (await alice.extension('tasks/list', { filter: { status: ['pending'] } })) as { tasks: JsonObject[] };
    expect(view.tasks).toContainEqual(
      expect.objectContaining({
        id,
        metadata: { [EXTENSION_URI]: expect.objectContaining({ intent: 'propose_action', summary: 'Answer 429' }) },
      }),
    );
    expect((await redeliver(frank, before.id)).body).toEqual({ task_id: id, webhooks: 0 });
  });

  test.each(['decline', 'cancel'] as const)('by %s can be handed over again too', async (transition) => {
    const { id } = await send({ ...proposal, message: { ...(proposal['message'] as JsonObject), messageId: newId() } });
    await update(id, { transition, reason: 'x' }, transition === 'cancel' ? frank : alice);
    expect((await redeliver(frank, id)).body['task_id']).not.toBe(id);
  });
});

describe('there is nothing to deliver again', () => {
  test('while it is open, when it was completed, and for its recipient', async () => {
    const { id } = await send({ ...proposal, message: { ...(proposal['message'] as JsonObject), messageId: newId() } });
    const refused = [400, 'UNSUPPORTED_OPERATION'];
    expect(await reasonOf(frank, id)).toEqual(refused);
    expect(await reasonOf(alice, id)).toEqual(refused);
    await update(id, { transition: 'accept' });
    await update(id, { transition: 'complete', message: 'done' });
    expect(await reasonOf(frank, id)).toEqual(refused);
  });

  test('of what is not there, or is theirs', async () => {
    const { id } = await send({ ...proposal, message: { ...(proposal['message'] as JsonObject), messageId: newId() } });
    const mia = await relay.agent('mia');
    for (const [client, task] of [
      [mia, id],
      [frank, 'nothing'],
      [frank, 'a%2Fb'],
    ] as const) {
      expect(await reasonOf(client, task)).toEqual([404, 'TASK_NOT_FOUND']);
    }
    const { status } = await frank.http('POST', `/v1/tasks/${id}/redeliver`, { headers: { authorization: undefined } });
    expect(status).toBe(401);
  });
});
