import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DefaultAgentCardResolver } from '@a2a-js/sdk/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildCard } from '../../../relay/cards/agent-card.ts';
import { cardResponse } from '../../../relay/cards/card-response.ts';
import { EXTENSION_URI } from '../../../relay/contract/handoff.ts';

const server = createServer((request, response) => {
  const card = buildCard({
    agent: { name: 'alice', displayName: 'Älice', description: 'Frontend', skills: ['react'] },
    relay: { name: 'acme', publicUrl: address(), version: '1.2.3' },
  });
  const { status, headers, body } = cardResponse(card, {
    updatedAt: Date.UTC(2026, 0, 1),
    now: Date.UTC(2026, 0, 2),
    ifNoneMatch: request.headers['if-none-match'],
    ifModifiedSince: request.headers['if-modified-since'],
  });
  response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : body);
});
const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));

test('the official SDK resolves a card over HTTP and finds all that it needs in it', async () => {
  const card = await new DefaultAgentCardResolver().resolve(address());
  expect(card.name).toBe('Älice');
  expect(card.supportedInterfaces).toMatchObject([
    { url: `${address()}/a/alice`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    { protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
    { protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
  ]);
  expect(card.capabilities).toMatchObject({ streaming: true, pushNotifications: true, extendedAgentCard: true });
  expect(card.capabilities?.extensions).toMatchObject([{ uri: EXTENSION_URI, required: false }]);
  expect(card.securitySchemes['bearer']?.scheme).toMatchObject({
    $case: 'httpAuthSecurityScheme',
    value: { scheme: 'Bearer' },
  });
  expect(card.securityRequirements).toEqual([{ schemes: { bearer: { list: [] } } }]);
  expect(card.skills.map((skill) => skill.id)).toEqual(['react']);
});

test('a reader that has the card gets it confirmed without a byte of it', async () => {
  const first = await fetch(address());
  const again = await fetch(address(), { headers: { 'if-none-match': first.headers.get('etag') ?? '' } });
  expect(first.status).toBe(200);
  expect(again.status).toBe(304);
  expect(await again.text()).toBe('');
});

test('HEAD gives the headers of GET and no body', async () => {
  const get = await fetch(address());
  const head = await fetch(address(), { method: 'HEAD' });
  expect(head.headers.get('etag')).toBe(get.headers.get('etag'));
  expect(head.headers.get('content-type')).toBe('application/json');
  expect(await get.text()).not.toBe('');
  expect(await head.text()).toBe('');
});
