import { describe, expect, test } from 'vitest';
import { scopeSchema } from '../../../relay/contract/keys.ts';
import { ROUTE_SCOPES } from '../../../relay/http/route-scopes.ts';
import type { A2aClient } from '../../support/a2a-client.ts';
import { frankAndAlice } from '../../support/frank-and-alice.ts';
import { openInbox } from '../../support/inbox.ts';
import { keysOf, narrowed, post, reasonIn } from '../../support/keys.ts';
import { HOOK, SCOPE_ROWS, words, type ScopeRequest, type Tasks } from '../../support/scope-table.ts';

const { relay, frank, alice, update } = await frankAndAlice({ webhookAllow: ['127.0.0.1'] });
const keys = {
  send: await narrowed(alice, ['send']),
  receive: await narrowed(alice, ['receive']),
  contacts: await narrowed(alice, ['contacts']),
};

/** `ok`, or why it was refused. A stream is read up to its first frame. */
async function outcome(client: A2aClient, { method, path, body, version }: ScopeRequest): Promise<string> {
  const response = await client.open(method, path, {
    headers: {
      ...(version && { 'a2a-version': version }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const isStream = response.headers['content-type'] === 'text/event-stream';
  response.setEncoding('utf8');
  let text = '';
  for await (const chunk of response) {
    text += String(chunk);
    if (isStream && text.includes('\n\n')) break;
  }
  response.destroy();
  return reasonIn(text) ?? 'ok';
}

/** A handoff that nobody waits for; its id. */
async function handTo(sender: A2aClient, name: string): Promise<string> {
  const answer = await sender.call('SendMessage', words(), { at: `/a/${name}` });
  if (!('task' in answer)) throw new Error('a message, where a task was expected');
  return answer.task.id;
}

async function handOver(): Promise<Tasks> {
  const [received, sent] = [await handTo(frank, 'alice'), await handTo(alice, 'frank')];
  await alice.result('CreateTaskPushNotificationConfig', { taskId: sent, id: 'hook', url: HOOK });
  return { sent, received };
}

describe('a key with one scope', () => {
  test.each(SCOPE_ROWS)('%s', async (_, ask, outcomes) => {
    for (const scope of ['send', 'receive', 'contacts'] as const) {
      const tasks = await handOver();
      expect([scope, await outcome(keys[scope], ask(tasks))]).toEqual([scope, outcomes[scope]]);
    }
  });

  test('is told which one it lacks, with 403, before its body is read', async () => {
    const answer = await keys.send.http('POST', '/v1/leases', { headers: { 'content-type': 'text/plain' }, body: 'x' });
    expect(answer.status).toBe(403);
    expect(JSON.parse(answer.body).error.details).toMatchObject([
      { reason: 'SCOPE_REQUIRED', metadata: { scope: 'receive' } },
    ]);
  });
});

test('no route of ours that wants a key is left out of the table', () => {
  const tested = new Set(SCOPE_ROWS.map(([name]) => name));
  expect(Object.keys(ROUTE_SCOPES).filter((route) => !tested.has(route))).toEqual([]);
});

describe('what a key sees', () => {
  const ids = async (client: A2aClient): Promise<string[]> => {
    const { tasks, totalSize } = await client.call('ListTasks', { pageSize: 100 });
    const { items, tasks: ours } = await client.extension('tasks/list', { limit: 100 });
    expect(totalSize).toBe(tasks.length);
    expect((items ?? ours) as unknown[]).toHaveLength(tasks.length);
    return tasks.map(({ id }) => id);
  };

  test('in lists are the handoffs of its side, and no others are counted', async () => {
    const mia = await relay.agent('mia');
    const [sender, recipient] = [await narrowed(mia, ['send']), await narrowed(mia, ['receive', 'contacts'])];
    const [received, sent] = [await handTo(frank, 'mia'), await handTo(mia, 'frank')];
    expect(await ids(sender)).toEqual([sent]);
    expect(await ids(recipient)).toEqual([received]);
    expect((await ids(mia)).toSorted()).toEqual([sent, received].toSorted());
  });

  test('in the inbox stream is what is for its side; contacts are for keys of that scope', async () => {
    const priya = await relay.agent('priya');
    const inbox = await openInbox(await narrowed(priya, ['receive']));
    const { cursor } = JSON.parse((await inbox.next('resync')).data) as { cursor: string };
    // the key does not see what priya sends, nor that frank becomes a contact; then comes what is for it
    const sent = await handTo(priya, 'frank');
    await post(priya, '/v1/contacts', { handle: 'alice' });
    const received = await handTo(frank, 'priya');
    const first = await inbox.handoff();
    expect(first.task_id).toBe(received);
    expect(inbox.sse.raw).not.toContain(sent);
    expect(inbox.sse.raw).not.toContain('event: contact');
    // the owner's key does see both
    const all = await openInbox(priya, { lastEventId: cursor, takeOver: true });
    expect((await all.handoff()).task_id).toBe(sent);
    await all.next('contact');
    all.destroy();
  });
});

test('an agent’s first key may do all but run the relay', async () => {
  const [first] = await keysOf(alice);
  expect(first?.scopes).toEqual(scopeSchema.options.filter((scope) => scope !== 'admin'));
  const { received } = await handOver();
  await update(received, { transition: 'accept' });
});
