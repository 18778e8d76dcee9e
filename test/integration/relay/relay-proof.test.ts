import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { isProof } from '../../../relay/identity/relay-proof.ts';
import { A2aClient, type HttpAnswer } from '../../support/a2a-client.ts';
import { relayForTest, type TestRelay } from '../../support/relay.ts';

/** Asked by anybody, without a key. */
const ask = ({ url }: TestRelay, query: string): Promise<HttpAnswer> =>
  new A2aClient({ url, apiKey: '' }).http('GET', `/v1/relay${query}`, { headers: { authorization: undefined } });

test('a relay proves to anybody who it is, and another one of its name does not', async () => {
  const [acme, impostor] = [await relayForTest(), await relayForTest()];
  const nonce = randomBytes(32).toString('base64url');
  const [own, others] = [await ask(acme, `?nonce=${nonce}`), await ask(impostor, `?nonce=${nonce}`)];
  expect([own.status, own.headers['cache-control']]).toEqual([200, 'no-store']);
  expect(JSON.parse(own.body).name).toBe(JSON.parse(others.body).name);
  expect(isProof(JSON.parse(own.body), nonce, acme.relay.id)).toBe(true);
  expect(isProof(JSON.parse(others.body), nonce, acme.relay.id)).toBe(false);
  expect(isProof(JSON.parse(others.body), nonce, impostor.relay.id)).toBe(true);
});

test.each([
  '',
  '?nonce=',
  `?nonce=${'n'.repeat(21)}`,
  `?nonce=${'n'.repeat(87)}`,
  `?nonce=${'+'.repeat(22)}`,
  '?nonce=a&nonce=b',
])('it signs nothing for "%s"', async (query) => {
  const { status, body } = await ask(await relayForTest(), query);
  expect([status, body.includes('signature')]).toEqual([400, false]);
});
