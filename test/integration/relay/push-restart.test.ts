import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../../relay/contract/json.ts';
import { createKey } from '../../../relay/identity/keys.ts';
import { createRelay, type RelayOptions } from '../../../relay/server.ts';
import { A2aClient, message } from '../../support/a2a-client.ts';
import { at } from '../../support/frank-and-alice.ts';
import { startRelayProcess } from '../../support/relay-in-process.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { startWebhook, type Pushed } from '../../support/webhook.ts';

const KEYS = { alice: createKey(randomBytes), frank: createKey(randomBytes) };
const clientsOf = (url: string) => ({
  alice: new A2aClient({ url, apiKey: KEYS.alice }),
  frank: new A2aClient({ url, apiKey: KEYS.frank }),
});

/** A relay that can be stopped and started again on the same data. */
async function start(dataDir: string, options: Partial<RelayOptions> = {}) {
  const relay = await createRelay({ dataDir, name: 'acme', webhookAllow: ['127.0.0.1'], ...options });
  onTestFinished(() => relay.close());
  for (const [handle, apiKey] of Object.entries(KEYS)) await relay.register({ handle, apiKey, contacts: 'auto' });
  return { relay, ...clientsOf(await relay.listen({ host: '127.0.0.1', port: 0 })) };
}

async function send(frank: A2aClient, id: string, url: string): Promise<string> {
  const configuration = { returnImmediately: true, taskPushNotificationConfig: { url } };
  const answer = await frank.call('SendMessage', { ...message(id), configuration }, { at });
  if (!('task' in answer)) throw new Error('no task');
  return answer.task.id;
}
const step = (alice: A2aClient, task_id: string, params: JsonObject) =>
  alice.extension('tasks/update', { task_id, ...params });
const keyOf = ({ headers }: Pushed): string => String(headers['idempotency-key']);

test('what a webhook did not take before a stop is pushed after the next start, from where it was', async () => {
  const dataDir = tempDir();
  let isUp = false;
  const hook = await startWebhook((_pushed, response) => response.writeHead(isUp ? 200 : 503).end());
  const patience = { firstRetryMs: 1, lastRetryMs: 60_000, attempts: 100, ageMs: 60_000 };
  const before = await start(dataDir, { patience: { ...patience, firstRetryMs: 60_000 } });
  const id = await send(before.frank, 'm1', hook.url);
  await step(before.alice, id, { transition: 'accept' });
  await hook.seen(1);
  await step(before.alice, id, { transition: 'complete', message: 'done' });
  await before.relay.close();
  isUp = true;
  // the wait of the first life is still on
  const soon = await start(dataDir, { patience });
  await soon.alice.call('GetTask', { id });
  expect(hook.pushed).toHaveLength(1);
  await soon.relay.close();
  await start(dataDir, { patience, clock: () => Date.now() + 61_000 });
  expect((await hook.seen(3)).map(keyOf)).toEqual([`"${id}/2"`, `"${id}/2"`, `"${id}/3"`]);
});

test('a relay that is killed while it pushes pushes everything, in order, and nothing but the last twice', async () => {
  const dataDir = tempDir();
  const tasks = 12;
  let relay = await startRelayProcess(dataDir, KEYS);
  let kill: (() => void) | undefined;
  const hook = await startWebhook((_pushed, response, index) => {
    if (index === 7) kill?.();
    response.writeHead(200).end();
  });
  kill = () => relay.child.kill('SIGKILL');
  const { alice, frank } = clientsOf(relay.url);
  const ids: string[] = [];
  // the relay dies under some of these
  const work = async (i: number): Promise<void> => {
    const id = await send(frank, `m${i}`, hook.url);
    ids.push(id);
    await step(alice, id, { transition: 'accept', idempotency_key: 'a' });
    await step(alice, id, { transition: 'complete', message: 'done', idempotency_key: 'c' });
  };
  await Promise.allSettled(Array.from({ length: tasks }, (_one, i) => work(i)));
  await relay.exited;
  kill = undefined;
  relay = await startRelayProcess(dataDir, KEYS);
  const again = clientsOf(relay.url);
  const all = await Promise.all(
    Array.from({ length: tasks }, async (_one, i) => {
      const id = await send(again.frank, `m${i}`, hook.url);
      await step(again.alice, id, { transition: 'accept', idempotency_key: 'a' }).catch(() => undefined);
      await step(again.alice, id, { transition: 'complete', message: 'done', idempotency_key: 'c' });
      return id;
    }),
  );
  const seen = (id: string): readonly string[] => hook.pushed.map(keyOf).filter((key) => key.startsWith(`"${id}/`));
  await expect.poll(() => all.filter((id) => new Set(seen(id)).size < 2)).toEqual([]);
  for (const id of all) {
    const keys = seen(id);
    expect(keys.toSorted()).toEqual(keys);
    expect(new Set(keys)).toEqual(new Set([`"${id}/2"`, keys.at(-1)]));
    expect(keys.length).toBeLessThanOrEqual(3);
  }
});
