import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../../../main/cli/main.ts';
import { thisMachine } from '../../../main/settings.ts';
import { createAdminToken } from '../../../relay/identity/admin-token.ts';
import { A2aClient } from '../../support/a2a-client.ts';
import { CERTIFICATE } from '../../support/certificate.ts';
import { relayForTest, type TestRelay } from '../../support/relay.ts';
import { tempDir } from '../../support/temp-dir.ts';

/** The command in this process, without an app: what it says, and its exit code. */
async function agentrelay(...argv: string[]) {
  let out = '';
  let error = '';
  const code = await runCommand(['--home', tempDir(), ...argv], {
    machine: thisMachine(),
    terminal: { columns: 100, now: 0 },
    readInput: async () => new Uint8Array(),
    out: (text) => void (out += text),
    error: (text) => void (error += text),
  });
  return { code, out, error };
}

describe('agentrelay register --relay', () => {
  let relay: TestRelay;
  let folder: string;
  let tokenFile: string;
  beforeEach(async () => {
    const adminToken = createAdminToken(randomBytes);
    relay = await relayForTest({ adminToken });
    folder = tempDir();
    tokenFile = join(folder, 'admin-token');
    writeFileSync(tokenFile, `${adminToken}\n`);
  });
  const elsewhere = (...argv: string[]) => ['register', ...argv, '--relay', relay.url, '--admin-token-file', tokenFile];

  it('makes an agent there, with all that is said of it, and no app runs', async () => {
    const { code, out } = await agentrelay(
      ...elsewhere(
        'ext-bot',
        '--kind',
        'a2a',
        '--name',
        'Review bot',
        '--skill',
        'review',
        '--repo',
        'acme/shop',
        '--json',
      ),
    );
    expect(code).toBe(0);
    const answer = JSON.parse(out) as { api_key: string };
    expect(answer).toEqual({
      handle: 'ext-bot@acme',
      endpoint: `${relay.url}/a/ext-bot`,
      card_url: `${relay.url}/a/ext-bot/agent-card.json`,
      api_key: expect.stringMatching(/^ar_/),
    });
    const bot = new A2aClient({ url: relay.url, apiKey: answer.api_key });
    expect((await bot.rpc('ListTasks', {})).status).toBe(200);
  });

  it('keeps the key in a new file of this user alone, and shows it nowhere', async () => {
    const file = join(folder, 'key');
    const { code, out } = await agentrelay(...elsewhere('ext-bot', '--key-out', file));
    expect(code).toBe(0);
    const key = readFileSync(file, 'utf8');
    expect(key).toMatch(/^ar_\S{43}\n$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(out).toContain(file);
    expect(out).not.toContain(key.trim());
  });

  it('asks for no key that it could not keep', async () => {
    const file = join(folder, 'key');
    writeFileSync(file, 'mine');
    const before = relay.rows();
    const { code, error } = await agentrelay(...elsewhere('ext-bot', '--key-out', file));
    expect([code, error]).toEqual([1, expect.stringMatching(/is there already/)]);
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expect(relay.rows()).toEqual(before);
  });

  it('leaves no file behind when there is no key after all', async () => {
    await relay.agent('ext-bot');
    const file = join(folder, 'key');
    const { code, out } = await agentrelay(...elsewhere('ext-bot', '--key-out', file, '--json'));
    expect([code, JSON.parse(out)]).toMatchObject([1, { error: { reason: 'HANDLE_TAKEN' } }]);
    expect(existsSync(file)).toBe(false);
  });

  it('takes back one that was removed, where that is asked for', async () => {
    const bot = await relay.agent('ext-bot');
    await bot.http('DELETE', '/admin/agents/ext-bot', {
      headers: { authorization: `Bearer ${readFileSync(tokenFile, 'utf8').trim()}` },
    });
    expect((await agentrelay(...elsewhere('ext-bot'))).error).toMatch(/was removed/);
    expect((await agentrelay(...elsewhere('ext-bot', '--restore'))).code).toBe(0);
  });

  it('registers as anybody without the token: the relay says who may', async () => {
    const alone = await agentrelay('register', 'mia', '--relay', relay.url, '--json');
    expect([alone.code, JSON.parse(alone.out)]).toMatchObject([1, { error: { reason: 'REGISTRATION_CLOSED' } }]);
    const open = await relayForTest({ registration: 'open' });
    expect((await agentrelay('register', 'mia', '--relay', open.url)).code).toBe(0);
  });

  it('says when the relay cannot be reached, and what to look at', async () => {
    await relay.relay.close();
    const { code, out } = await agentrelay('register', 'mia', '--relay', relay.url, '--json');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toEqual({
      error: {
        reason: 'RELAY_NOT_REACHED',
        message: `${relay.url} did not register it: refused.`,
        hint: expect.stringContaining('address'),
      },
    });
  });

  it('says what is wrong with the certificate of a relay', async () => {
    const safe = await relayForTest({ edge: { tls: CERTIFICATE } });
    const { code, error } = await agentrelay('register', 'mia', '--relay', safe.url);
    expect([code, error]).toEqual([1, expect.stringMatching(/did not register it: .*certificate/)]);
  });

  it.each([
    [['--relay', 'relay.example.com'], 2, /--relay is the address/],
    [['--relay', 'http://relay.example.com'], 2, /readable/],
    [['--admin-token-file', 'x'], 2, /needs --relay/],
    [['--relay', 'https://relay.example.com', '--restore'], 2, /needs --admin-token-file/],
    [
      ['--relay', 'https://relay.example.com', '--admin-token-file', '/nowhere/token'],
      1,
      /\/nowhere\/token cannot be used/,
    ],
  ])('is refused with %j before anything is asked', async (flags, code, says) => {
    expect(await agentrelay('register', 'mia', ...flags)).toMatchObject({ code, error: expect.stringMatching(says) });
  });
});
