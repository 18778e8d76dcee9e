import { describe, expect, test } from 'vitest';
import { headersOf, message, rpcBody, type A2aClient } from '../../support/a2a-client.ts';
import { openInbox } from '../../support/inbox.ts';
import { isGone, isStored } from '../../support/presence.ts';
import { RawConnection, rawRequest } from '../../support/raw-connection.ts';
import { relayForTest } from '../../support/relay.ts';

const at = '/a/alice';

async function acme(options: Parameters<typeof relayForTest>[0] = {}) {
  const relay = await relayForTest(options);
  return { relay, alice: await relay.agent('alice'), frank: await relay.agent('frank') };
}

const send = (client: A2aClient, method: string, messageId: string): Buffer =>
  rawRequest('POST', at, headersOf(client), rpcBody(method, message(messageId), messageId));

describe('what is no HTTP, behind a request', () => {
  const GARBAGE = '\r\n\x16\x03\x01garbage\r\n\r\n';

  /** The answer that closes such a connection. */
  async function isRefused(connection: RawConnection): Promise<void> {
    const answer = await connection.answer();
    expect(answer).toMatchObject({ status: 400, body: expect.stringContaining('INVALID_REQUEST') });
    expect(answer?.headers.get('connection')).toBe('close');
    await connection.closed();
  }

  test('is refused after the request is answered', async () => {
    const { relay, alice, frank } = await acme({ blockMs: 3_600_000 });
    const inbox = await openInbox(alice);
    for (const pieces of [1, 2]) {
      const connection = await RawConnection.open(relay.port);
      const request = send(frank, 'SendMessage', `waits ${pieces}`);
      if (pieces === 1) connection.write(Buffer.concat([request, Buffer.from(GARBAGE)]));
      else connection.write(request);
      const { task_id } = await inbox.handoff(({ version }) => version === 1);
      connection.write(GARBAGE);
      connection.write(GARBAGE);
      await frank.call('ListTasks', {});
      await alice.extension('tasks/update', { task_id, transition: 'decline' });
      const answer = await connection.answer();
      expect(JSON.parse(answer?.body ?? '')).toHaveProperty('result.task.status.state', 'TASK_STATE_REJECTED');
      await isRefused(connection);
    }
  });

  test('is refused after all that were asked before it are answered, in order', async () => {
    const { relay, frank } = await acme();
    const connection = await RawConnection.open(relay.port);
    const ids = ['a', 'b', 'c'];
    const requests = ids.map((id) => send(frank, 'SendMessage', id));
    connection.write(Buffer.concat([...requests, Buffer.from(GARBAGE)]));
    for (const id of ids) expect(JSON.parse((await connection.answer())?.body ?? '')).toMatchObject({ id });
    await isRefused(connection);
  });

  test('is no part of a stream, which goes on', async () => {
    const { relay, alice, frank } = await acme();
    const connection = await RawConnection.open(relay.port);
    connection.write(send(frank, 'SendStreamingMessage', 'streams'));
    const { body = '' } = (await connection.answer()) ?? {};
    const { id } = JSON.parse(body.slice('data: '.length)).result.task;
    connection.write(GARBAGE);
    await frank.call('ListTasks', {});
    await alice.extension('tasks/update', { task_id: id, transition: 'decline' });
    expect(await connection.chunk()).toMatch(/^data: .*TASK_STATE_REJECTED/);
    expect(await connection.chunk()).toBe('');
    await isRefused(connection);
  });

  test('is found out to be the end of a client that leaves', async () => {
    const { relay, alice, frank } = await acme({ blockMs: 3_600_000 });
    const inbox = await openInbox(alice);
    for (const method of ['SendMessage', 'SendStreamingMessage']) {
      const connection = await RawConnection.open(relay.port);
      connection.write(Buffer.concat([send(frank, method, method), Buffer.from(GARBAGE)]));
      await isStored(frank, method);
      connection.destroy();
      await connection.closed();
      await expect(isGone(alice, frank)).resolves.toBeUndefined();
    }
    inbox.destroy();
  });

  test('as a part of its own body, is what it is answered with', async () => {
    const { relay, alice, frank } = await acme({ blockMs: 3_600_000 });
    const inbox = await openInbox(alice);
    const before = relay.rows();
    const chunked = rawRequest('POST', at, { ...headersOf(frank), 'transfer-encoding': 'chunked' });
    const alone = await RawConnection.open(relay.port);
    alone.write(Buffer.concat([chunked, Buffer.from('zz\r\n')]));
    await isRefused(alone);
    expect(relay.rows()).toEqual(before);
    const behind = await RawConnection.open(relay.port);
    behind.write(Buffer.concat([send(frank, 'SendMessage', 'waits'), chunked, Buffer.from('zz\r\n')]));
    const { task_id } = await inbox.handoff();
    await alice.extension('tasks/update', { task_id, transition: 'decline' });
    expect(JSON.parse((await behind.answer())?.body ?? '')).toHaveProperty('result.task.id', task_id);
    await isRefused(behind);
  });
});
