import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { agentrelay, startProcess, type TestProcess } from '../../support/app-process.ts';
import { CERTIFICATE } from '../../support/certificate.ts';
import { tempDir } from '../../support/temp-dir.ts';

/** A team relay on a data folder, up; `url` is where it says that it is. */
async function serve(home: string, ...flags: string[]): Promise<TestProcess & { readonly url: string }> {
  const relay = agentrelay(home, ['serve', '--name', 'acme', '--port', '0', ...flags]);
  const [, url = ''] = await relay.waitFor(/^Relay {3}(\S+)\n(?:Admin {3}\S+\n)?Ready$/m);
  return { ...relay, url };
}

/** What a start that fails says, and its exit code. */
async function failure(home: string, ...flags: string[]) {
  const relay = agentrelay(home, ['serve', ...flags]);
  const { code } = await relay.ended;
  expect(relay.stdout()).toBe('');
  expect(relay.stderr()).not.toMatch(/^\s+at /m);
  return { code, says: relay.stderr() };
}

async function stop(relay: TestProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  relay.kill(signal);
  expect(await relay.ended).toEqual({ code: 0, signal: null });
}

const modeOf = (path: string) => statSync(path).mode & 0o777;

describe('agentrelay serve', { timeout: 60_000 }, () => {
  it('says where it is, and at the first start where the admin token is, which it never shows', async () => {
    const home = tempDir();
    const first = await serve(home);
    const file = join(home, 'admin-token');
    expect(first.stdout()).toBe(`Relay   ${first.url}\nAdmin   ${file}\nReady\n`);
    const token = readFileSync(file, 'utf8').trim();
    expect(modeOf(file)).toBe(0o600);
    expect(await (await fetch(`${first.url}/readyz`)).json()).toMatchObject({ status: 'ready', name: 'acme' });
    await stop(first);

    const second = await serve(home, '--name', 'other');
    expect(second.stdout()).toBe(`Relay   ${second.url}\nReady\n`);
    expect(await (await fetch(`${second.url}/readyz`)).json()).toMatchObject({ name: 'acme' });
    expect(readFileSync(file, 'utf8').trim()).toBe(token);
    await stop(second);
    const log = readFileSync(join(home, 'logs/agentrelay.log'), 'utf8');
    expect(first.stdout() + second.stdout() + first.stderr() + second.stderr() + log).not.toContain(token);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('ends on %s with exit code 0, and leaves no lock', async (signal) => {
    const home = tempDir();
    await stop(await serve(home), signal);
    expect(readdirSync(join(home, 'run'))).toEqual([]);
  });

  it('speaks JSON where it is asked to', async () => {
    const home = tempDir();
    const relay = agentrelay(home, ['serve', '--name', 'acme', '--port', '0', '--json']);
    const [line] = await relay.waitFor(/^\{.*\}$/m);
    expect(JSON.parse(line)).toEqual({
      relay: { url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/), name: 'acme', id: expect.any(String) },
      admin_token_file: join(home, 'admin-token'),
    });
    await stop(relay);
  });

  it('owns its data folder: another one waits a while, and then says so', async () => {
    const home = tempDir();
    const first = await serve(home);
    const { code, says } = await failure(home, '--port', '0');
    expect([code, says]).toEqual([1, expect.stringContaining(`uses ${home}`)]);
    expect((await fetch(`${first.url}/healthz`)).status).toBe(200);
    await stop(first);
  });

  it('takes no data folder on which the app runs', async () => {
    const home = tempDir();
    const app = startProcess({ home });
    await app.waitFor(/^Ready$/m);
    const { code, says } = await failure(home, '--port', '0');
    expect([code, says]).toEqual([1, expect.stringMatching(/The AgentRelay app runs on .*--data/)]);
  });

  it('says what to do when it cannot listen', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    onTestFinished(() => void taken.close());
    const address = taken.address();
    if (typeof address !== 'object' || address === null) throw new Error('no address');
    const home = tempDir();
    expect(await failure(home, '--port', String(address.port))).toEqual({
      code: 1,
      says: expect.stringMatching(/is taken by another program.*--port/),
    });
    expect(await failure(home, '--host', '192.0.2.1', '--port', '0', '--insecure')).toEqual({
      code: 1,
      says: expect.stringMatching(/no address of this machine.*--host/),
    });
    expect(readdirSync(join(home, 'run'))).toEqual([]);
  });

  it.each([
    [['--host', '0.0.0.0'], /--public-url/],
    [['--host', '192.0.2.1'], /readable/],
    [['--open-profile', '--public-url', 'https://relay.example.com'], /--open-profile/],
    [['--colour', 'red'], /--colour/],
    [['now'], /"now"/],
  ])('is a wrong usage with %j', async (flags, says) => {
    const home = join(tempDir(), 'data');
    expect(await failure(home, ...flags)).toEqual({ code: 2, says: expect.stringMatching(says) });
    expect(existsSync(home)).toBe(false);
  });

  it('refuses an admin token that is none, instead of a relay that anybody could guess', async () => {
    const home = tempDir();
    writeFileSync(join(home, 'admin-token'), 'hunter2\n', { mode: 0o600 });
    const { code, says } = await failure(home, '--port', '0');
    expect([code, says]).toEqual([1, expect.stringMatching(/admin-token holds no admin token\. .*remove/)]);
    expect(says).not.toContain('hunter2');
  });

  it('speaks TLS with a certificate, and says what is wrong with one', async () => {
    const home = tempDir();
    const [cert, key] = [join(home, 'cert.pem'), join(home, 'key.pem')];
    writeFileSync(cert, CERTIFICATE.cert);
    writeFileSync(key, CERTIFICATE.key);
    const data = join(home, 'data');
    const relay = await serve(data, '--tls-cert', cert, '--tls-key', key);
    expect(relay.url).toMatch(/^https:/);
    const bot = agentrelay(
      data,
      ['register', 'ext-bot', '--relay', relay.url, '--admin-token-file', join(data, 'admin-token')],
      {
        env: { NODE_EXTRA_CA_CERTS: cert },
      },
    );
    expect(await bot.ended).toEqual({ code: 0, signal: null });
    expect(bot.stdout()).toContain(`${relay.url}/a/ext-bot`);
    await stop(relay);
    expect(await failure(data, '--tls-cert', key, '--tls-key', cert)).toEqual({
      code: 1,
      says: expect.stringMatching(/not a certificate and its key/),
    });
    expect(await failure(data, '--tls-cert', join(home, 'none.pem'), '--tls-key', key)).toMatchObject({ code: 1 });
  });

  it('needs no key, and answers no page, with the open profile', async () => {
    const relay = await serve(tempDir(), '--open-profile');
    expect(relay.stderr()).toContain('tests only');
    const list = (headers: Record<string, string>) => fetch(`${relay.url}/a2a/tasks`, { headers });
    expect((await list({ 'a2a-version': '1.0' })).status).toBe(200);
    expect((await list({ 'a2a-version': '1.0', origin: 'https://elsewhere.example' })).status).toBe(403);
    await stop(relay);
  });

  it('serves so much and no more, as its flags say', async () => {
    const relay = await serve(tempDir(), '--limit-address', '2', '--registration', 'open');
    const statuses: number[] = [];
    for (let n = 0; n < 3; n++) statuses.push((await fetch(`${relay.url}/healthz`)).status);
    expect(statuses).toEqual([200, 200, 429]);
    await stop(relay);
  });
});
