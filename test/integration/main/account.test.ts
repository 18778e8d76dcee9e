import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ownAccount, type OwnAccount } from '../../../main/account.ts';
import { openConfig } from '../../../main/config.ts';
import { fileSecretStore, type SecretStore } from '../../../main/secrets.ts';
import { StartError } from '../../../main/start-error.ts';
import { keysSchema } from '../../../relay/contract/keys.ts';
import { createKey } from '../../../relay/identity/keys.ts';
import { createRelay, type Relay } from '../../../relay/server.ts';
import { tempDir } from '../../support/temp-dir.ts';

interface Start {
  readonly relay?: Pick<Relay, 'id' | 'own'>;
  readonly secrets?: SecretStore;
  readonly handle?: string;
}

/** A data folder with a real relay, and the part of a start that makes the account. */
async function dataFolder() {
  const home = tempDir();
  const relay = await createRelay({ dataDir: join(home, 'relay'), name: 'acme' });
  onTestFinished(() => relay.close());
  const url = await relay.listen({ host: '127.0.0.1', port: 0 });
  const configFile = join(home, 'config.json');
  const secrets = fileSecretStore(join(home, 'secrets.json'));
  const start = async (changes: Start = {}): Promise<OwnAccount> =>
    ownAccount({
      relay,
      secrets,
      handle: 'frank',
      random: randomBytes,
      ...changes,
      config: await openConfig(configFile, () => '00000000-0000-4000-8000-000000000001'),
    });
  /** Whether the relay knows the key as one of its agents'. */
  const isGood = async ({ apiKey }: OwnAccount): Promise<boolean> =>
    (await fetch(`${url}/v1/inbox/events?desk_id=x`, { headers: { authorization: `Bearer ${apiKey}` } })).status ===
    200;
  /** What a key may do. */
  const scopes = async (apiKey: string): Promise<readonly string[] | undefined> => {
    const answer = await fetch(`${url}/v1/keys`, { headers: { authorization: `Bearer ${apiKey}` } });
    return keysSchema.parse(await answer.json()).keys.find((key) => key.is_this)?.scopes;
  };
  return { home, url, relay, secrets, configFile, start, isGood, scopes };
}

const fails = (message: string) => () => Promise.reject(new Error(message));

describe('the account on the own relay', () => {
  it('is made at the first start, and the same at every other, whatever its handle is set to then', async () => {
    const { start, isGood, relay } = await dataFolder();
    const first = await start();
    expect(first).toMatchObject({ handle: 'frank@acme', relayId: relay.id });
    expect(await isGood(first)).toBe(true);
    expect(await start({ handle: 'somebody-else' })).toEqual(first);
  });

  it('runs the relay with its key, also where an older version has made the account', async () => {
    const { start, relay, secrets, configFile, scopes } = await dataFolder();
    const apiKey = createKey(randomBytes);
    await secrets.set(`${relay.id}/frank`, apiKey);
    await relay.register({ handle: 'frank', apiKey });
    const config = await openConfig(configFile, randomUUID);
    await config.setAccount({ handle: 'frank@acme', relayId: relay.id });
    expect(await scopes(apiKey)).toEqual(['send', 'receive', 'contacts']);
    expect(await start()).toMatchObject({ handle: 'frank@acme', apiKey });
    expect(await scopes(apiKey)).toEqual(['send', 'receive', 'contacts', 'admin']);
  });

  it('does not keep the app from starting when its agent was removed, or its key replaced', async () => {
    const { start, isGood, url } = await dataFolder();
    const first = await start();
    const headers = { authorization: `Bearer ${first.apiKey}` };
    expect((await fetch(`${url}/admin/agents/frank/keys`, { method: 'POST', headers })).status).toBe(200);
    expect(await start()).toEqual(first);
    expect(await isGood(first)).toBe(false);
  });

  it('has its key in the secrets and nowhere else', async () => {
    const { start, configFile } = await dataFolder();
    const { apiKey } = await start();
    expect(readFileSync(configFile, 'utf8')).not.toContain(apiKey);
  });

  it('says that its handle is taken', async () => {
    const { start, relay } = await dataFolder();
    await relay.register({ handle: 'frank' });
    await expect(start()).rejects.toMatchObject({ reason: 'HANDLE_TAKEN' });
  });
});

describe('a first start that was cut short', () => {
  it.each([
    ['before the key was stored', (f: Folder) => ({ secrets: { ...f.secrets, set: fails('cut') } })],
    ['before the relay knew the key', (f: Folder) => ({ relay: { id: f.relay.id, own: fails('cut') } })],
    [
      'before the account was noted',
      (f: Folder) => ({
        relay: {
          id: f.relay.id,
          own: async (input: Parameters<Relay['own']>[0]) => {
            await f.relay.own(input);
            throw new Error('cut');
          },
        },
      }),
    ],
  ])('%s is done again, under the same handle', async (_, cutShort) => {
    const folder = await dataFolder();
    await expect(folder.start(cutShort(folder))).rejects.toThrow('cut');
    const account = await folder.start();
    expect(account.handle).toBe('frank@acme');
    expect(await folder.isGood(account)).toBe(true);
  });
});

type Folder = Awaited<ReturnType<typeof dataFolder>>;

describe('what was lost', () => {
  it('when only the note is lost, is found again with the key', async () => {
    const { start, configFile } = await dataFolder();
    const first = await start();
    rmSync(configFile);
    expect(await start()).toEqual(first);
  });

  it('when the key is lost, is said with what to do', async () => {
    const { start, home } = await dataFolder();
    await start();
    rmSync(join(home, 'secrets.json'));
    await expect(start()).rejects.toThrow(StartError);
    await expect(start()).rejects.toThrow(/frank@acme.*secrets\.json.*backup/);
  });

  it('when the relay is another one, is an account on that one', async () => {
    const { start, home } = await dataFolder();
    const first = await start();
    const other = await createRelay({ dataDir: join(home, 'other'), name: 'acme' });
    onTestFinished(() => other.close());
    const second = await start({ relay: other });
    expect(second).toMatchObject({ handle: 'frank@acme', relayId: other.id });
    expect(second.apiKey).not.toBe(first.apiKey);
  });
});

describe('config.json', () => {
  it('tells this desk from others, for good', async () => {
    const { start, configFile } = await dataFolder();
    await start();
    const newId = (): string => '00000000-0000-4000-8000-000000000002';
    expect((await openConfig(configFile, newId)).deskId).toBe('00000000-0000-4000-8000-000000000001');
  });

  it.each(['', '{', '{}', '{"deskId":"x"}'])('with %j in it is neither read nor written over', async (text) => {
    const { start, configFile } = await dataFolder();
    writeFileSync(configFile, text);
    await expect(start()).rejects.toThrow(StartError);
    expect(readFileSync(configFile, 'utf8')).toBe(text);
  });

  it('remembers where the window was, and keeps what it does not know', async () => {
    const { start, configFile } = await dataFolder();
    await start();
    const before = jsonIn(configFile);
    writeFileSync(configFile, JSON.stringify({ ...before, ofANewerVersion: true }));
    const config = await openConfig(configFile, randomUUID);
    expect(config.windowPort).toBeUndefined();
    await config.setWindowPort(41873);
    expect(jsonIn(configFile)).toEqual({ ...before, ofANewerVersion: true, windowPort: 41873 });
    expect((await openConfig(configFile, randomUUID)).windowPort).toBe(41873);
  });
});

function jsonIn(file: string): object {
  return z
    .object({})
    .loose()
    .parse(JSON.parse(readFileSync(file, 'utf8')));
}
