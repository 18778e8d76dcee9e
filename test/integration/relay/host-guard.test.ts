import { describe, expect, test } from 'vitest';
import { A2aClient } from '../../support/a2a-client.ts';
import { createRelay } from '../../../relay/server.ts';
import { relayForTest } from '../../support/relay.ts';
import { tempDir } from '../../support/temp-dir.ts';

const statusFor = async (url: string, host: string): Promise<number> =>
  (await new A2aClient({ url, apiKey: '' }).http('GET', '/healthz', { headers: { host } })).status;

describe('a relay that others reach under a name', () => {
  test('answers to that name, to the address that they connected to, and to no other', async () => {
    const { url, port } = await relayForTest({ publicUrl: 'https://Relay.example.com' });
    for (const host of ['relay.example.com', 'RELAY.EXAMPLE.COM', `127.0.0.1:${port}`, `localhost:${port}`]) {
      expect([host, await statusFor(url, host)]).toEqual([host, 200]);
    }
    for (const host of [
      'elsewhere.example',
      `elsewhere.example:${port}`,
      'relay.example.com:8443',
      'relay.example.com.elsewhere.example',
      '127.0.0.1',
      `127.0.0.2:${port}`,
      `0.0.0.0:${port}`,
    ]) {
      expect([host, await statusFor(url, host)]).toEqual([host, 403]);
    }
  });

  test('may have its port in it', async () => {
    const { url } = await relayForTest({ publicUrl: 'https://relay.example.com:8443' });
    expect(await statusFor(url, 'relay.example.com:8443')).toBe(200);
    expect(await statusFor(url, 'relay.example.com')).toBe(403);
  });
});

test('a relay answers to the address on which it was told to listen', async () => {
  const relay = await createRelay({ dataDir: tempDir(), name: 'acme' });
  const url = await relay.listen({ host: 'localhost', port: 0 });
  const { port } = new URL(url);
  expect(await statusFor(`http://127.0.0.1:${port}`, `localhost:${port}`)).toBe(200);
  expect(await statusFor(`http://127.0.0.1:${port}`, `elsewhere.example:${port}`)).toBe(403);
  await relay.close();
});
