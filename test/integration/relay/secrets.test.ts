import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../relay/contract/json.ts';
import { createKey } from '../../../relay/identity/keys.ts';
import { message, type A2aClient } from '../../support/a2a-client.ts';
import { adminToken, invite, joined, ownerOf, redeem } from '../../support/invites.ts';
import { post, rotated, withKey } from '../../support/keys.ts';
import { relayForTest } from '../../support/relay.ts';
import { SCOPE_ROWS, type ScopeRequest } from '../../support/scope-table.ts';

/** The whole answer as it went over the wire; of a stream, its beginning. */
async function wire(client: A2aClient, { method, path, body, version }: ScopeRequest): Promise<string> {
  const response = await client.open(method, path, {
    headers: { 'content-type': 'application/json', ...(version && { 'a2a-version': version }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const isStream = response.headers['content-type'] === 'text/event-stream';
  response.setEncoding('utf8');
  let text = `${method} ${path} ${response.statusCode}\n${response.rawHeaders.join('\n')}\n`;
  for await (const chunk of response) {
    text += String(chunk);
    if (isStream && text.includes('\n\n')) break;
  }
  response.destroy();
  return text;
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

test('no key, code or admin token is in an answer, a card, a log or a file, but where it is shown once', async () => {
  let logged = '';
  const logger = pino({ level: 'trace' }, { write: (line: string) => void (logged += line) });
  const relay = await relayForTest({ adminToken, logger, registration: 'open', webhookAllow: ['127.0.0.1'] });
  const owner = await ownerOf(relay);
  const alice = await relay.agent('alice');
  const [mine, other, unknown] = [createKey(randomBytes), createKey(randomBytes), createKey(randomBytes)];
  const { api_key: rotatedKey } = await rotated(alice, { api_key: mine });
  const { code } = await invite(owner);
  const { code: unused } = await invite(owner, { handle: 'priya' });
  const { api_key: miasKey } = joined(await redeem(relay, code, { api_key: other }));
  expect([rotatedKey, miasKey]).toEqual([mine, other]);
  const secrets = [alice.apiKey, owner.apiKey, mine, other, unknown, code, unused, adminToken];
  const clients = [alice, owner, withKey(alice, mine), withKey(alice, unknown), withKey(owner, adminToken)];

  const answers: string[] = [];
  const ask = async (client: A2aClient, request: ScopeRequest): Promise<void> => {
    answers.push(await wire(client, request));
  };
  const sent = await owner.call('SendMessage', message('m'), { at: '/a/alice' });
  if (!('task' in sent)) throw new Error('a message, where a task was expected');
  const tasks = { sent: sent.task.id, received: sent.task.id };
  for (const client of clients) {
    for (const [, request] of SCOPE_ROWS) {
      const asked = request(tasks);
      // makes a key, and shows it
      if (asked.path !== '/v1/keys' || asked.method === 'GET') await ask(client, asked);
    }
    for (const path of [
      '/a/alice',
      '/a/mia',
      '/',
      '/healthz',
      '/readyz',
      '/metrics',
      `/v1/relay?nonce=${'n'.repeat(22)}`,
      '/v1/invites',
      '/nowhere',
    ]) {
      await ask(client, { method: 'GET', path });
    }
    for (const secret of secrets) {
      const bodies: readonly (readonly [string, JsonObject])[] = [
        ['/v1/keys/rotate', { api_key: `${secret} ` }],
        ['/v1/keys', { scopes: [secret] }],
        ['/v1/invites', { handle: secret }],
        ['/v1/register', { handle: secret }],
        ['/v1/invites/redeem', { code: `${secret}x`, api_key: `${secret}x` }],
        ['/v1/invites/redeem', { code: secret, handle: 'x', [secret.slice(0, 3)]: 1 }],
        ['/a2a', { jsonrpc: '2.0', id: 1, method: 'nothing', params: {} }],
      ];
      for (const [path, body] of bodies) await ask(client, { method: 'POST', path, body });
    }
  }
  expect(answers.length).toBeGreaterThan(500);
  // the relay had much to log, and keeps what it is asked to keep
  logger.info('the log is read');
  expect(logged).toContain('the log is read');

  const places: readonly (readonly [string, string])[] = [
    ...answers.map((text) => [text.slice(0, 80), text] as const),
    ['the log', logged],
    ...filesBelow(relay.dataDir).map((path) => [path, readFileSync(path, 'latin1')] as const),
  ];
  expect(places.map(([name]) => name)).toContain(join(relay.dataDir, 'relay.db'));
  const found = places.flatMap(([name, text]) =>
    secrets.filter((secret) => text.includes(secret)).map((secret) => [name, secret]),
  );
  expect(found).toEqual([]);
});

test('what is shown once is told to no cache', async () => {
  const relay = await relayForTest({ adminToken, registration: 'open' });
  const owner = await ownerOf(relay);
  const { code } = await invite(owner);
  const shown = [
    await post(owner, '/v1/keys', { scopes: ['send'] }),
    await post(owner, '/v1/keys/rotate', {}),
    await post(owner, '/v1/invites', { handle: 'priya' }),
    await redeem(relay, code),
    await post(owner, '/v1/register', { handle: 'ext-bot' }),
    await post(owner, '/admin/agents', { handle: 'eve' }),
    await owner.http('POST', '/admin/agents/eve/keys'),
  ];
  expect(shown.map(({ status, headers }) => [status, headers['cache-control']])).toEqual(
    shown.map(() => [200, 'no-store']),
  );
});
