import { describe, expect, test } from 'vitest';
import { EXTENSION_URI } from '../../../../relay/contract/handoff.ts';
import type { JsonObject } from '../../../../relay/contract/json.ts';
import { assertAgentCard } from '../../../support/a2a-1.0-schema.ts';
import { fieldsOf, reasonOf } from '../../../support/a2a-client.ts';
import { befriend } from '../../../support/contacts.ts';
import { at, frankAndAlice } from '../../../support/frank-and-alice.ts';

/** GetExtendedAgentCard (A2A 1.0.1 sections 3.1.11, 8.6 and 13.3): what only agents of the relay may know. */

const { relay, frank } = await frankAndAlice();
const hidden = await relay.agent('hidden', { listed: false, role: 'ops', repos: ['infra/'], skills: ['k8s'] });
await befriend(frank, hidden);
const rest = { 'a2a-version': '1.0' };

async function extended(path: string, params?: JsonObject) {
  const { body } = await frank.rpc('GetExtendedAgentCard', params, { at: path });
  const { result } = JSON.parse(body) as { result: unknown };
  assertAgentCard(result);
  return result;
}

describe('the extended card', () => {
  test('says of an agent what its public card does not', async () => {
    const card = await extended('/a/hidden');
    const [ours] = card.capabilities.extensions;
    expect(ours).toMatchObject({
      uri: EXTENSION_URI,
      params: { handle: 'hidden@acme', role: 'ops', repos: ['infra/'], listed: false },
    });
    const open = await frank.http('GET', '/a/hidden', { headers: rest });
    const { capabilities: _more, signatures: _other, ...rest10 } = card;
    expect(JSON.parse(open.body)).toMatchObject(rest10);
    expect(open.body).not.toMatch(/infra|listed/);
  });

  test('is the same by every name of the agent, over both bindings', async () => {
    const card = await extended('/a/hidden');
    expect(await extended('/a2a', { tenant: 'hidden' })).toEqual(card);
    expect(await extended('/a2a/hidden@acme', {})).toEqual(card);
    for (const path of ['/a/hidden/extendedAgentCard', '/a2a/extendedAgentCard?tenant=hidden']) {
      const answer = await frank.http('GET', path, { headers: rest });
      expect(answer.headers['content-type']).toMatch(/^application\/a2a\+json/);
      expect(JSON.parse(answer.body)).toEqual(card);
    }
  });

  test('is for nobody’s cache but the caller’s', async () => {
    const { headers } = await frank.http('GET', `${at}/extendedAgentCard`, { headers: rest });
    expect(headers['cache-control']).toMatch(/^private\b/);
    expect(headers['vary']).toMatch(/authorization/i);
  });

  test('of the guide is its public one', async () => {
    const open = await frank.http('GET', '/a2a', { headers: rest });
    expect(await extended('/a2a')).toEqual(JSON.parse(open.body));
  });

  test('in the form of 0.3 is what 0.3 asks for', async () => {
    const { body } = await frank.rpc('agent/getAuthenticatedExtendedCard', undefined, {
      at: '/a/hidden',
      headers: { 'a2a-version': undefined },
    });
    expect(JSON.parse(body)).toMatchObject({
      result: { url: `${relay.url}/a/hidden`, capabilities: { extensions: [{ params: { listed: false } }] } },
    });
  });
});

describe('is refused', () => {
  test('to whoever has no key', async () => {
    for (const headers of [{ authorization: undefined }, { authorization: 'Bearer ar_wrong' }]) {
      const rpc = await hidden.rpc('GetExtendedAgentCard', {}, { at, headers });
      expect([rpc.status, rpc.body]).toEqual([401, expect.stringContaining('UNAUTHENTICATED')]);
      const answer = await hidden.http('GET', `${at}/extendedAgentCard`, { headers: { ...rest, ...headers } });
      expect(answer.status).toBe(401);
    }
  });

  test('for an agent that is not there, and a tenant that is another', async () => {
    expect(reasonOf(await frank.fail('GetExtendedAgentCard', {}, { at: '/a/nobody' }))).toBe('RECIPIENT_NOT_FOUND');
    expect(fieldsOf(await frank.fail('GetExtendedAgentCard', { tenant: 'hidden' }, { at }))).toEqual(['tenant']);
  });
});
