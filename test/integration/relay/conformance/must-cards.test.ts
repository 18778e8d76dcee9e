import { createPublicKey, verify, type JsonWebKey } from 'node:crypto';
import { expect } from 'vitest';
import { strictPayload } from '../../../../relay/cards/canonical-card.ts';
import type { AgentCard } from '../../../../relay/contract/a2a.ts';
import { EXTENSION_URI } from '../../../../relay/contract/handoff.ts';
import { assertAgentCard } from '../../../support/a2a-1.0-schema.ts';
import { message } from '../../../support/a2a-client.ts';
import { frankAndAlice } from '../../../support/frank-and-alice.ts';
import { meetsOnce, requirementsOn } from './meets.ts';

/** Requirements on Agent Cards and extensions (A2A 1.0.1 sections 4.6, 5.2, 8, 13.3 and 14.3). */

const place = await frankAndAlice();
const { relay, frank, newId } = place;
const { meets, meetsOver } = requirementsOn(place);
await relay.agent('mia', { role: 'ops', repos: ['infra/'] });

/** The card at an address, in its 1.0 form. */
async function cardAt(path: string): Promise<AgentCard> {
  const headers = { 'a2a-version': '1.0', authorization: undefined };
  const json: unknown = JSON.parse((await frank.http('GET', path, { headers })).body);
  assertAgentCard(json);
  return json;
}

/** RFC 8785, for text that is ASCII and numbers that are whole. */
function canonical(json: unknown): string {
  if (Array.isArray(json)) return `[${json.map(canonical).join()}]`;
  if (typeof json !== 'object' || json === null) return JSON.stringify(json);
  const members = Object.entries(json).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${canonical(value)}`).join()}}`;
}

/** What section 8.4.1 leaves of a card, made here by hand. */
function signedPart({ signatures: _signatures, ...card }: AgentCard): object {
  const extensions = card.capabilities.extensions.map(({ required, ...rest }) => ({
    ...rest,
    ...(required && { required }),
  }));
  const securityRequirements = card.securityRequirements.map(({ schemes }) => ({
    schemes: Object.fromEntries(Object.keys(schemes).map((name) => [name, {}])),
  }));
  return { ...card, capabilities: { ...card.capabilities, extensions }, securityRequirements };
}

async function isSigned(card: AgentCard, payload: string): Promise<boolean> {
  const { keys } = JSON.parse((await frank.http('GET', '/.well-known/jwks.json')).body) as { keys: JsonWebKey[] };
  const key = createPublicKey({ key: keys[0] ?? {}, format: 'jwk' });
  return (card.signatures ?? []).some(({ protected: header, signature }) =>
    verify(
      null,
      Buffer.from(`${header}.${Buffer.from(payload).toString('base64url')}`),
      key,
      Buffer.from(signature, 'base64url'),
    ),
  );
}

meetsOnce(['8.1-1', '14.3-1'], async () => {
  expect((await cardAt('/.well-known/agent-card.json')).name).toBe('acme guide');
  expect((await cardAt('/.well-known/agent-card.json?id=alice')).name).toBe('alice');
});

meetsOnce(['8.3-1', '8.3.1-1', '8.3.1-2', '5.2-1'], async () => {
  const { supportedInterfaces } = await cardAt('/a/alice');
  const asked = [];
  for (const { url, protocolBinding, protocolVersion } of supportedInterfaces) {
    const headers = { 'content-type': 'application/json', 'a2a-version': protocolVersion };
    const old = { message: { messageId: newId(), role: 'user', parts: [{ kind: 'text', text: 'hi' }] } };
    const calls = {
      'JSONRPC 1.0': ['', { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: message(newId()) }],
      'JSONRPC 0.3': ['', { jsonrpc: '2.0', id: 1, method: 'message/send', params: old }],
      'HTTP+JSON 1.0': ['/message:send', message(newId())],
    } as const;
    const spoken = `${protocolBinding} ${protocolVersion}`;
    const [suffix, body] = calls[spoken as keyof typeof calls];
    const path = `${new URL(url).pathname}${suffix}`;
    const answer = await frank.http('POST', path, { headers, body: JSON.stringify(body) });
    asked.push([spoken, url, answer.status, answer.body.includes('"error"')]);
  }
  const url = `${relay.url}/a/alice`;
  expect(asked).toEqual(['JSONRPC 1.0', 'HTTP+JSON 1.0', 'JSONRPC 0.3'].map((spoken) => [spoken, url, 200, false]));
});

// https://github.com/a2aproject/A2A/issues/2122
meetsOnce(['8.4.1-1', '8.4.1-6'], async () => {
  for (const path of ['/a/alice', '/a/mia', '/a2a']) {
    const card = await cardAt(path);
    const payload = canonical(signedPart(card));
    expect([payload.includes('"signatures"'), await isSigned(card, payload)]).toEqual([false, true]);
    expect(await isSigned(card, payload.replace('acme', 'evil'))).toBe(false);
  }
});

meetsOnce(['8.4.1-2'], async () => {
  const card = await cardAt('/a/alice');
  const payload = canonical(signedPart(card));
  expect(payload).not.toContain('iconUrl');
  expect(strictPayload(card)).toBe(payload);
  expect(strictPayload({ ...card, iconUrl: 'https://acme.example/icon.png' })).toContain('"iconUrl":');
});

meetsOnce(['8.4.1-3', '8.4.1-4'], async () => {
  const card = await cardAt('/a/alice');
  const capabilities = { ...card.capabilities, streaming: false, pushNotifications: false };
  const payload = strictPayload({ ...card, capabilities, description: '', skills: [] });
  for (const member of ['"streaming":false', '"pushNotifications":false', '"description":""', '"skills":[]']) {
    expect(payload).toContain(member);
  }
});

meetsOnce(['8.4.1-5'], async () => {
  const card = await cardAt('/a/alice');
  expect(JSON.stringify(card)).toMatch(/"required":false.*"list":\[\]/);
  expect(strictPayload(card)).not.toMatch(/"required"|"list"/);
});

meetsOnce(['8.4.2-1', '8.4.2-2', '8.4.2-3'], async () => {
  const { signatures = [] } = await cardAt('/a/alice');
  expect(signatures).toHaveLength(2);
  for (const { protected: header } of signatures) {
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({
      alg: 'EdDSA',
      typ: 'JOSE',
      kid: relay.relay.id,
      jku: `${relay.url}/.well-known/jwks.json`,
    });
  }
});

meets(['4.6.3-3', '4.6.3-5', 'extensions-1'], async ({ frank: client }) => {
  for (const [asked, named] of [
    [`urn:other,${EXTENSION_URI}`, EXTENSION_URI],
    [EXTENSION_URI.replace(/\d+$/, '2'), undefined],
    [EXTENSION_URI.replace(/\d+$/, '0'), undefined],
  ]) {
    const answer = await client.answer('SendMessage', message(newId()), { headers: { 'a2a-extensions': asked } });
    expect([answer.status, answer.headers['a2a-extensions']]).toEqual([200, named]);
  }
});

meets(['3.1.11-1', '13.3-1', '13.3-2', '13.3-6', '14.3-4'], async ({ frank: client }) => {
  for (const authorization of [undefined, 'Bearer nobody']) {
    const answer = await client.answer('GetExtendedAgentCard', {}, { at: '/a/mia', headers: { authorization } });
    expect([answer.status, answer.body.includes('infra/')]).toEqual([401, false]);
  }
  const card = await client.call('GetExtendedAgentCard', {}, { at: '/a/mia' });
  expect(card.securityRequirements).toEqual([{ schemes: { bearer: { list: [] } } }]);
  expect(card.capabilities.extensions).toMatchObject([{ params: { role: 'ops', repos: ['infra/'], listed: true } }]);
  expect(JSON.stringify(await cardAt('/a/mia'))).not.toContain('infra/');
});

meetsOver('HTTP+JSON', ['13.3-3'], async ({ frank: client }) => {
  const { headers } = await client.answer('GetExtendedAgentCard', {});
  expect([headers['cache-control'], headers['vary']]).toEqual([
    expect.stringMatching(/^private, max-age=\d+$/),
    expect.stringContaining('Authorization'),
  ]);
});

meets(['13.3-5', '14.3-2'], async ({ frank: client }) => {
  const extended = await client.call('GetExtendedAgentCard', {}, { at: '/a/mia' });
  for (const card of [extended, await cardAt('/a/mia'), await cardAt('/a2a')]) {
    expect(JSON.stringify(card)).not.toMatch(/ar_[A-Za-z0-9_-]{40}|session|webhook|@(?!acme)/);
  }
});

meetsOnce(['multi-tenancy-1'], async () => {
  for (const name of ['alice', 'frank', 'mia']) {
    expect((await cardAt(`/a/${name}`)).supportedInterfaces[0]?.url).toBe(`${relay.url}/a/${name}`);
  }
});
