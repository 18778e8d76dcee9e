import { spawn, spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startApp } from '../../../main/app.ts';
import { startSocketServer } from '../../../main/mcp/socket-server.ts';
import { readPublished } from '../../../main/running-app.ts';
import { StartError } from '../../../main/start-error.ts';
import { RawConnection, rawRequest } from '../../support/raw-connection.ts';
import { appOptions, runApp } from '../../support/running-app.ts';
import { because } from '../../support/skip.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { scriptedDesk } from './scripted-desk.ts';

/** What another user of the machine, and a program of this user's without the token, can do with a running app. */

/** Everything below a folder, by its path from there. */
function everything(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
}

/** An app that has done what an app does: handoffs, agents, a log, a window that was asked for. */
async function usedApp(home: string) {
  const app = await runApp(home, { logLevel: 'debug' });
  await app.desk.call('registerAgent', { handle: 'mia', contacts: 'auto' }, 'human');
  await app.desk.call('sendHandoff', { to: 'mia', body: 'Look' }, 'human');
  await app.desk.call('openWindow', {}, 'human');
  return app;
}

describe.skipIf(process.platform === 'win32')('the data folder', because('it is about modes of files'), () => {
  it('holds nothing that anybody else may read, even where the system would let them', async () => {
    const before = process.umask(0);
    onTestFinished(() => void process.umask(before));
    const home = join(tempDir(), 'home');
    await usedApp(home);
    const paths = everything(home);
    for (const name of [
      'relay.db',
      'config.json',
      'secrets.json',
      'run/token',
      'run/mcp.sock',
      'logs/agentrelay.log',
    ]) {
      expect(paths).toContain(name);
    }
    for (const path of ['', ...paths]) {
      const stats = lstatSync(join(home, path));
      expect([path, (stats.mode & 0o777).toString(8)]).toEqual([path, stats.isDirectory() ? '700' : '600']);
    }
  });

  it('is closed at the next start where somebody has opened it, with what is made anew in it', async () => {
    const home = join(tempDir(), 'home');
    const app = await usedApp(home);
    await app.close();
    spawnSync('chmod', ['-R', 'a+rwX', home]);
    await runApp(home);
    for (const path of ['', 'run', 'logs', 'run/token', 'run/instance.json', 'run/mcp.sock']) {
      expect([path, lstatSync(join(home, path)).mode & 0o077]).toEqual([path, 0]);
    }
  });
});

describe('a link in the place of', () => {
  it.each([
    'relay.db',
    'relay.db-wal',
    'desk.db',
    'config.json',
    'secrets.json',
    'admin-token',
    'run',
    'logs',
    'backups',
    'run/owner.lock',
    'run/token',
    'run/instance.json',
    'run/mcp.sock',
    'logs/agentrelay.log',
    'backups/relay-schema-1-1.db',
  ])('%s is refused, and what it leads to stays as it is', async (path) => {
    const [home, elsewhere] = [tempDir(), tempDir()];
    await (await runApp(home)).close();
    rmSync(join(home, path), { recursive: true, force: true });
    mkdirSync(join(home, path, '..'), { recursive: true });
    const isFolder = !path.includes('.') && path !== 'admin-token';
    const target = join(elsewhere, 'target');
    if (isFolder) mkdirSync(target, { mode: 0o755 });
    else writeFileSync(target, 'precious', { mode: 0o644 });
    symlinkSync(target, join(home, path));
    const before = [lstatSync(target).mode, lstatSync(target).mtimeMs, everything(elsewhere)];

    const start = startApp(appOptions(home));
    await expect(start).rejects.toThrow(StartError);
    await expect(start).rejects.toThrow(`${join(home, path)} is a link`);
    expect([lstatSync(target).mode, lstatSync(target).mtimeMs, everything(elsewhere)]).toEqual(before);
    expect(lstatSync(join(home, path)).isSymbolicLink()).toBe(true);
  });

  it('a file that leads nowhere is refused as well: it would be made there', async () => {
    const [home, elsewhere] = [tempDir(), tempDir()];
    symlinkSync(join(elsewhere, 'made'), join(home, 'relay.db'));
    await expect(startApp(appOptions(home))).rejects.toThrow(/is a link/);
    expect(existsSync(join(elsewhere, 'made'))).toBe(false);
  });

  it('something that is not the app’s is nobody’s business', async () => {
    const [home, elsewhere] = [tempDir(), tempDir()];
    symlinkSync(elsewhere, join(home, 'notes'));
    expect((await runApp(home)).relayUrl).toMatch(/^http:/);
  });
});

const isRoot = process.getuid?.() === 0;

describe.skipIf(!isRoot)('another user of this machine', because('only root can be somebody else'), () => {
  /** What a program of nobody's writes. This process goes on: it is what is asked. */
  function asNobody(code: string, ...args: readonly string[]): Promise<string> {
    const { stdout } = spawn(process.execPath, ['-e', code, ...args], {
      uid: 65534,
      gid: 65534,
      cwd: '/',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    return text(stdout);
  }

  it('reads no file, lists no folder and reaches no socket of a running app', async () => {
    const home = tempDir();
    const app = await usedApp(home);
    const code = `
      const { readFileSync, readdirSync } = require('node:fs');
      const tries = process.argv.slice(1).map((path) => {
        for (const read of [readdirSync, readFileSync]) {
          try { read(path); return 'read ' + path; } catch (error) { if (error.code !== 'EACCES') return error.code + ' ' + path; }
        }
        return 'EACCES';
      });
      console.log(JSON.stringify(tries));`;
    const paths = ['', ...everything(home)].map((path) => join(home, path));
    expect(JSON.parse(await asNobody(code, ...paths))).toEqual(paths.map(() => 'EACCES'));

    const reach = `require('node:net').connect(process.argv[1]).on('connect', () => console.log('in')).on('error', (e) => console.log(e.code));`;
    expect(await asNobody(reach, app.socketPath)).toBe('EACCES\n');
  });

  it('gets no more from the relay on loopback than anybody: it has no key', async () => {
    const app = await usedApp(tempDir());
    const code = `
      const url = process.argv[1];
      const statuses = [['GET', '/v1/inbox/events?desk_id=d'], ['GET', '/v1/directory'], ['POST', '/a/frank'], ['POST', '/v1/register'], ['GET', '/v1/contacts'], ['GET', '/v1/keys']]
        .map(([method, path]) => fetch(url + path, { method, ...(method === 'POST' && { body: '{"handle":"evil"}', headers: { 'content-type': 'application/json' } }) }).then((r) => r.status));
      Promise.all(statuses).then((all) => console.log(JSON.stringify(all)));`;
    expect(JSON.parse(await asNobody(code, app.relayUrl))).toEqual([401, 401, 401, 403, 401, 401]);
  });
});

describe('a program without the token', () => {
  const TOKEN = 'the-token-of-this-start';

  async function serve(helloPatienceMs?: number) {
    const desk = scriptedDesk();
    const path = join(tempDir(), 'mcp.sock');
    const server = await startSocketServer({
      path,
      token: TOKEN,
      desk,
      version: '1.2.3',
      logger: pino({ level: 'silent' }),
      ...(helloPatienceMs !== undefined && { helloPatienceMs }),
    });
    onTestFinished(() => server.close());
    return { desk, path };
  }

  it('that never ends its hello, a byte at a time, is shown out; so is one that says nothing', async () => {
    const { desk, path } = await serve(60);
    const [slow, silent] = [connect(path), connect(path)];
    const closed = [slow, silent].map(
      (socket) => new Promise<void>((resolve) => socket.once('close', () => resolve())),
    );
    for (const socket of [slow, silent]) socket.on('error', () => undefined).resume();
    const hello = `{"jsonrpc":"2.0","id":1,"method":"hello","params":{"protocol":1,"client":"cli","token":"${TOKEN}"}}`;
    let at = 0;
    const drip = setInterval(() => slow.write(hello[at++ % hello.length] ?? ''), 5);
    onTestFinished(() => clearInterval(drip));
    await Promise.all(closed);
    clearInterval(drip);
    expect(desk.calls).toEqual([]);
  });

  it('cannot try many tokens on one connection, nor learn from the answer how near it was', async () => {
    const { desk, path } = await serve();
    const answers = new Set<string>();
    for (const guess of ['', 'x', TOKEN.slice(0, -1), `${TOKEN}x`, TOKEN.toUpperCase(), `${TOKEN}\\u0000`]) {
      const socket = connect(path);
      let got = '';
      socket.setEncoding('utf8').on('data', (text: string) => (got += text));
      const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
      const line = (token: string): string =>
        `{"jsonrpc":"2.0","id":1,"method":"hello","params":{"protocol":1,"client":"cli","token":"${token}"}}\n`;
      socket.write(line(guess) + line(TOKEN) + '{"jsonrpc":"2.0","id":2,"method":"getStatus"}\n');
      await closed;
      answers.add(got);
    }
    expect(answers.size).toBe(1);
    expect([...answers][0]).toContain('UNAUTHENTICATED');
    expect(desk.calls).toEqual([]);
  });

  it('cannot use the token of the start before', async () => {
    const home = tempDir();
    await (await runApp(home)).close();
    expect(await readPublished(home)).toBe('absent');
    const tokenOf = async (): Promise<string> => {
      const published = await readPublished(home);
      if (typeof published === 'string') throw new Error(published);
      return published.token;
    };
    const first = await runApp(home);
    const old = await tokenOf();
    await first.close();
    await runApp(home);
    expect(await tokenOf()).not.toBe(old);
  });
});

describe('the relay of an app', () => {
  it.each([
    ['GET', '/healthz'],
    ['GET', '/.well-known/agent-card.json'],
    ['GET', '/a/frank'],
    ['POST', '/a/frank'],
  ])('answers %s %s under its own names alone', async (method, path) => {
    const app = await runApp(tempDir());
    const { port } = new URL(app.relayUrl);
    for (const host of ['evil.example', `evil.example:${port}`, `127.0.0.1:${Number(port) + 1}`]) {
      const connection = await RawConnection.open(Number(port));
      connection.write(rawRequest(method, path, { host, origin: `http://${host}` }));
      expect([host, (await connection.answer())?.status]).toEqual([host, 403]);
      connection.destroy();
    }
  });
});
