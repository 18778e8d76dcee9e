import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startApp } from '../../../main/app.ts';
import type { Client } from '../../../main/mcp/protocol.ts';
import type { DeskConnection } from '../../../main/mcp/socket-client.ts';
import { connectToOwner } from '../../../main/running-app.ts';
import { StartError } from '../../../main/start-error.ts';
import type { DeskEvent } from '../../../relay/contract/desk-api.ts';
import { appOptions, runApp } from '../../support/running-app.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { written } from '../../support/written.ts';

async function connect(home: string, client: Client = 'cli'): Promise<DeskConnection> {
  const connection = await connectToOwner(home, client, 10_000);
  if (connection === undefined) throw new Error('nothing runs');
  onTestFinished(() => connection.close());
  return connection;
}

describe('a running app', { timeout: 60_000 }, () => {
  it('is found by its data folder, and says where everything is', async () => {
    const home = tempDir();
    const app = await runApp(home);
    const desk = await connect(home);
    expect(await desk.call('getStatus', {})).toMatchObject({
      version: desk.version,
      relay: { url: app.relayUrl, name: 'acme' },
      window: { url: 'http://127.0.0.1:1' },
      mcp: { socket: app.socketPath },
      accounts: [{ handle: 'frank@acme', relay: app.relayUrl, state: 'connected', unread: 0 }],
    });
  });

  it('signs what is written with the program it came from', async () => {
    const home = tempDir();
    const app = await runApp(home);
    await app.desk.call('registerAgent', { handle: 'mia', name: 'Mia', role: 'backend', skills: ['sql'] }, 'human');
    for (const client of ['cli', 'claude-code', 'codex'] as const) {
      const desk = await connect(home, client);
      const { task_id } = written(await desk.call('sendHandoff', { to: 'mia', body: 'Look' }));
      const { events } = await desk.call('getThread', { task_id });
      expect(events[0]).toMatchObject({ kind: 'created', author: client });
    }
  });

  it('tells every client what one of them does', async () => {
    const home = tempDir();
    const app = await runApp(home);
    await app.desk.call('registerAgent', { handle: 'mia' }, 'human');
    const [watcher, writer] = [await connect(home, 'codex'), await connect(home)];
    const { seq } = await watcher.call('getSnapshot', {});
    const events: DeskEvent[] = [];
    await watcher.subscribe(seq, (event) => events.push(event));
    const { task_id } = written(await writer.call('sendHandoff', { to: 'mia', body: 'Look' }));
    await expect
      .poll(() => events.filter(({ type }) => type === 'item'), { timeout: 10_000 })
      .toMatchObject([{ seq: seq + 1, type: 'item', item: { task_id } }]);
  });

  it('makes agents with everything that was said of them', async () => {
    const home = tempDir();
    const app = await runApp(home);
    const desk = await connect(home);
    const made = await desk.call('registerAgent', { handle: 'mia', name: 'Mia M.', role: 'backend', skills: ['sql'] });
    expect(made).toMatchObject({ handle: 'mia@acme', api_key: expect.stringMatching(/^ar_/) });
    expect(new URL(made.endpoint).origin).toBe(app.relayUrl);
    const card = (await (await fetch(made.card_url)).json()) as { name: string; skills: { tags: string[] }[] };
    expect(card.name).toBe('Mia M.');
    await expect(desk.call('registerAgent', { handle: 'mia' })).rejects.toMatchObject({ reason: 'HANDLE_TAKEN' });
  });

  it('keeps keys and tokens out of its log', async () => {
    const home = tempDir();
    const app = await runApp(home, { logLevel: 'trace' });
    const { api_key } = await (await connect(home)).call('registerAgent', { handle: 'mia' });
    const token = readFileSync(join(home, 'run/token'), 'utf8').trim();
    await app.close();
    const log = readFileSync(join(home, 'logs/agentrelay.log'), 'utf8');
    expect(log).toContain('"started"');
    const own = Object.values(JSON.parse(readFileSync(join(home, 'secrets.json'), 'utf8')) as Record<string, string>);
    // of the account, and of the audit log
    expect(own).toHaveLength(2);
    for (const secret of [api_key, token, ...own]) expect(log).not.toContain(secret);
  });

  it('is closed once, and then anybody may start on its folder', async () => {
    const home = tempDir();
    const app = await runApp(home);
    await Promise.all([app.close(), app.close()]);
    expect(readdirSync(join(home, 'run'))).toEqual([]);
    expect(await connectToOwner(home, 'cli', 10_000)).toBeUndefined();
    expect((await runApp(home)).socketPath).toBe(app.socketPath);
  });
});

describe('a second start', { timeout: 60_000 }, () => {
  it('has the first one show its window, whatever it was started with', async () => {
    const home = tempDir();
    let shown = 0;
    await runApp(home, { openWindow: async () => `window ${(shown += 1)}` });
    const second = await startApp(appOptions(home, { shell: 'electron' }));
    expect(second).toEqual({ kind: 'already_running', window: 'window 1' });
  });
});

describe('a start that fails', { timeout: 60_000 }, () => {
  it('leaves nothing running and nothing taken', async () => {
    const home = tempDir();
    const other = await runApp(tempDir());
    const port = Number(new URL(other.relayUrl).port);
    await expect(startApp(appOptions(home, { port }))).rejects.toThrow(StartError);
    expect(readdirSync(join(home, 'run'))).toEqual([]);
    await runApp(home);
  });

  it('says that the handle of its account is kept for the relay itself', async () => {
    await expect(startApp(appOptions(tempDir(), { handle: 'guide' }))).rejects.toMatchObject({
      reason: 'HANDLE_TAKEN',
    });
  });
});

describe('a data folder with a long path', { timeout: 60_000 }, () => {
  it('has its socket elsewhere, for the user alone, and works like any other', async () => {
    vi.stubEnv('XDG_RUNTIME_DIR', tempDir());
    onTestFinished(() => void vi.unstubAllEnvs());
    const home = join(tempDir(), 'l'.repeat(100));
    const app = await runApp(home);
    expect(Buffer.byteLength(app.socketPath)).toBeLessThanOrEqual(103);
    expect(app.socketPath.startsWith(home)).toBe(false);
    expect(statSync(dirname(app.socketPath)).mode & 0o777).toBe(0o700);
    expect((await (await connect(home)).call('getStatus', {})).mcp.socket).toBe(app.socketPath);
    expect(await startApp(appOptions(home))).toMatchObject({ kind: 'already_running' });
    await app.close();
    expect(existsSync(app.socketPath)).toBe(false);
  });
});
