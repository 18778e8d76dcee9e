import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { pino } from 'pino';
import { expect } from 'vitest';
import { EXTENSION_URI } from '../../../../relay/contract/handoff.ts';
import type { JsonObject } from '../../../../relay/contract/json.ts';
import { message } from '../../../support/a2a-client.ts';
import { BoundClient } from '../../../support/bound-client.ts';
import { CERTIFICATE } from '../../../support/certificate.ts';
import { frankAndAlice } from '../../../support/frank-and-alice.ts';
import { relayForTest } from '../../../support/relay.ts';
import { startWebhook } from '../../../support/webhook.ts';
import { meetsOnce, requirementsOn } from './meets.ts';

/** Requirements on secrets, logs, TLS and what an extension adds (A2A 1.0.1 section 13.4, topic Extensions). */

const logged: string[] = [];
const place = await frankAndAlice({
  logger: pino({ level: 'trace' }, { write: (line: string) => logged.push(line) }),
  webhookAllow: ['127.0.0.1'],
  patience: { firstRetryMs: 1, lastRetryMs: 1, attempts: 1, ageMs: 60_000 },
});
const { relay, frank, alice, newId, update } = place;
const { meets } = requirementsOn(place);

meetsOnce(['13.4-8'], async () => {
  await frank.call('ListTasks', {});
  const files = readdirSync(relay.dataDir).filter((name) => name.startsWith('relay.db'));
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) {
    const bytes = readFileSync(join(relay.dataDir, file));
    for (const { apiKey } of [frank, alice]) expect([file, bytes.includes(apiKey)]).toEqual([file, false]);
  }
});

meets(['13.4-17'], async ({ frank: client }) => {
  const hook = await startWebhook((_pushed, response) => response.writeHead(500).end());
  const { id: taskId } = await client.send(message(newId(), { parts: [{ text: 'private words' }] }));
  const authentication = { scheme: 'Bearer', credentials: 'private credentials' };
  const config = { taskId, url: `${hook.url}?private=query`, token: 'private token', authentication };
  await client.call('CreateTaskPushNotificationConfig', config);
  const unknown = `ar_${'private'.repeat(6)}A`;
  await client.answer('ListTasks', {}, { headers: { authorization: `Bearer ${unknown}` } });
  await update(taskId, { transition: 'decline', reason: 'private reason' });
  // what is logged of all this is that the webhook was given up
  await expect.poll(() => logged.join('')).toContain(taskId);
  const lines = logged.join('');
  for (const secret of ['private', frank.apiKey, alice.apiKey]) expect(lines).not.toContain(secret);
});

meetsOnce(['7.1-2', '13.4-2', '13.4-4'], async () => {
  const { port } = await relayForTest({ edge: { tls: CERTIFICATE } });
  const speak = (version: 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3'): Promise<string | null> =>
    new Promise((resolve) => {
      const socket = connect(
        {
          port,
          host: '127.0.0.1',
          ca: CERTIFICATE.cert,
          minVersion: version,
          maxVersion: version,
          ciphers: 'DEFAULT@SECLEVEL=0',
        },
        () => {
          resolve(socket.getProtocol());
          socket.destroy();
        },
      );
      socket.on('error', () => resolve('refused'));
    });
  expect(await Promise.all([speak('TLSv1.3'), speak('TLSv1.2'), speak('TLSv1.1')])).toEqual([
    'TLSv1.3',
    'TLSv1.2',
    'refused',
  ]);
});

meets(['13.4-6'], async ({ frank: client }) => {
  const { id: taskId } = await client.send(message(newId()));
  const before = relay.rows();
  const parts = Array.from({ length: 257 }, () => ({ text: 'x' }));
  expect((await client.fail('SendMessage', message(newId(), { taskId, parts }))).reason).toBe('INVALID_PARAMS');
  const large = message(newId(), { taskId, parts: [{ text: 'x'.repeat(2 ** 20) }] });
  expect((await client.answer('SendMessage', large)).status).toBe(413);
  expect(relay.rows()).toEqual(before);
});

meets(['extensions-3'], async ({ frank: client }) => {
  const before = relay.rows();
  const wrong: readonly JsonObject[] = [{ intent: 'destroy' }, { kind: 7 }, { proposed_action: 'x' }];
  for (const ours of wrong) {
    const { violations } = await client.fail('SendMessage', message(newId(), { metadata: { [EXTENSION_URI]: ours } }));
    expect(Object.keys(violations)).not.toEqual([]);
  }
  expect(relay.rows()).toEqual(before);
});

meetsOnce(['extensions-4', 'extensions-5'], async () => {
  const { id: task_id } = await new BoundClient('JSON-RPC', frank).send(message(newId()));
  const mia = await relay.agent(newId());
  const before = relay.rows();
  for (const [method, params] of [
    ['tasks/update', { task_id, transition: 'accept' }],
    ['tasks/list', {}],
  ] as const) {
    const open = await frank.rpc(method, params, { headers: { authorization: undefined } });
    expect([method, open.status]).toEqual([method, 401]);
  }
  expect((await mia.fail('tasks/update', { task_id, transition: 'accept' })).code).toBe(-32001);
  expect(await mia.extension('tasks/list', {})).toMatchObject({ tasks: [] });
  expect(relay.rows()).toEqual(before);
});
