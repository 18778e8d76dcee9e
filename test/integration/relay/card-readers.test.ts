import { type AgentCard as SdkCard, SendMessageRequest, verifyAgentCardSignature } from '@a2a-js/sdk';
import {
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
} from '@a2a-js/sdk/client';
import {
  ClientFactory as ClientFactory03,
  DefaultAgentCardResolver as Resolver03,
  JsonRpcTransportFactory as JsonRpc03,
} from 'a2a-sdk-03/client';
import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { message } from '../../support/a2a-client.ts';
import { frankAndAlice } from '../../support/frank-and-alice.ts';
import { sdkClient } from '../../support/sdk.ts';

/** The resolvers and clients of two generations of the official SDK, unmodified, each with the card that it finds. */

const { relay, frank, newId } = await frankAndAlice({ version: '1.2.3' });
const url = `${relay.url}/a/alice`;
const CARDS = [
  '/a/alice/agent-card.json',
  '/a/alice/.well-known/agent-card.json',
  '/.well-known/agent-card.json?id=alice@acme',
];
const OLD_CARDS = ['/a/alice/.well-known/agent.json', '/.well-known/agent.json?id=alice@acme'];

const withKey: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  headers.set('authorization', `Bearer ${frank.apiKey}`);
  return fetch(input, { ...init, headers });
};
const fetchJson = async (path: string): Promise<object> =>
  (await (await fetch(`${relay.url}${path}`)).json()) as object;

describe('the SDK of 1.0', () => {
  test.each(CARDS)('reads %s whole', async (path) => {
    const card = await new DefaultAgentCardResolver().resolve(relay.url, path);
    expect(card.supportedInterfaces[0]).toMatchObject({ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' });
    expect(card.securitySchemes['bearer']?.scheme?.$case).toBe('httpAuthSecurityScheme');
    expect(card.capabilities?.extendedAgentCard).toBe(true);
  });

  test.each(OLD_CARDS)('with its compatibility switched on, reads %s', async (path) => {
    const resolver = new DefaultAgentCardResolver({ legacyCompat: { enabled: true } });
    const card = await resolver.resolve(relay.url, path);
    // the main address is among the additional ones too, as 0.3 asks for
    expect(
      card.supportedInterfaces.map((one) => [one.url, one.protocolBinding, one.protocolVersion.slice(0, 3)]),
    ).toEqual(card.supportedInterfaces.map(() => [url, 'JSONRPC', '0.3']));
    expect(card.supportedInterfaces.length).toBeGreaterThan(0);
  });

  test('talks to the agent of a hybrid card that it was handed', async () => {
    const factory = new ClientFactory(
      ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
        transports: [new JsonRpcTransportFactory({ fetchImpl: withKey })],
      }),
    );
    const client = await factory.createFromAgentCard((await fetchJson('/a/alice')) as SdkCard);
    expect(client.protocolVersion).toBe('1.0');
    expect(await client.sendMessage(SendMessageRequest.fromJSON(message(newId())))).toHaveProperty('status');
  });

  test.each(['?A2A-Version=1.0', ''])(
    'verifies the signatures of /a/alice%s with the keys that they name',
    async (query) => {
      const debug = vi.spyOn(console, 'debug').mockReturnValue();
      onTestFinished(() => debug.mockRestore());
      const verifyCard = verifyAgentCardSignature(async (kid, jku = '') => {
        const { keys } = (await (await fetch(jku)).json()) as { keys: readonly (JsonWebKey & { kid: string })[] };
        const key = keys.find((one) => one.kid === kid);
        if (key === undefined) throw new Error('no such key');
        return createPublicKey({ key, format: 'jwk' });
      });
      // as it was fetched: what the SDK has parsed is no longer what was signed
      await expect(verifyCard((await fetchJson(`/a/alice${query}`)) as SdkCard)).resolves.toBeUndefined();
      expect(debug).not.toHaveBeenCalled();
    },
  );

  test('gets the extended card, with what the public one does not say', async () => {
    const sdk = await sdkClient({ url: relay.url, apiKey: frank.apiKey, card: '/a/alice/agent-card.json' });
    const card = await sdk.getAgentCard();
    expect(card.name).toBe('alice');
    expect(card.capabilities?.extensions[0]?.params).toMatchObject({ handle: 'alice@acme', repos: [], listed: true });
  });
});

describe('the SDK of 0.3', () => {
  const client = async (path: string) =>
    new ClientFactory03({
      transports: [new JsonRpc03({ fetchImpl: withKey })],
      cardResolver: new Resolver03(),
    }).createFromUrl(relay.url, path);

  test.each([...CARDS, ...OLD_CARDS])('reads %s, and talks to the agent', async (path) => {
    const card = await new Resolver03().resolve(relay.url, path);
    expect(card).toMatchObject({
      url,
      preferredTransport: 'JSONRPC',
      security: [{ bearer: [] }],
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      supportsAuthenticatedExtendedCard: true,
    });
    const sdk = await client(path);
    const sent = await sdk.sendMessage({
      message: { kind: 'message', messageId: newId(), role: 'user', parts: [{ kind: 'text', text: 'hi' }] },
    });
    expect(sent.kind).toBe('task');
  });

  test('gets the extended card in its own form', async () => {
    const card = await (await client('/a/alice/agent-card.json')).getAgentCard();
    expect(card).toMatchObject({
      protocolVersion: '0.3.0',
      capabilities: { extensions: [{ params: { handle: 'alice@acme', listed: true } }] },
    });
    expect(card).not.toHaveProperty('supportedInterfaces');
  });
});
