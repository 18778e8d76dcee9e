import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isAlive, readInstance, run, startProcess, type TestProcess } from '../../support/app-process.ts';
import { ROOT } from '../../support/project-root.ts';
import { runApp } from '../../support/running-app.ts';
import { because } from '../../support/skip.ts';
import { tempDir } from '../../support/temp-dir.ts';

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));

const readIfThere = (file: string): string | undefined => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);

const BROWSER_SHELL = join(ROOT, 'out/main/browser.js');
const NO_DISPLAY = { AGENTRELAY_HANDLE: 'frank', DISPLAY: '', WAYLAND_DISPLAY: '' };

describe('a start', { timeout: 60_000 }, () => {
  it('prints where things are, each on a line of its own, and nothing else', async () => {
    const app = startProcess({ home: tempDir() });
    await app.waitFor(/^Ready$/m);
    expect(app.stdout()).toMatch(
      /^Relay {3}http:\/\/127\.0\.0\.1:\d+\nWindow {2}http:\/\/127\.0\.0\.1:\d+\/#[\w-]{43}\nMCP {5}\/\S+mcp\.sock\nReady\n$/,
    );
  });

  it('says in one line which shell it uses, and why', async () => {
    const app = startProcess({ home: tempDir() });
    await app.waitFor(/^Ready$/m);
    expect(app.stderr()).toMatch(/^Starting the browser shell: --headless .*\n$/);
  });

  it('keeps its folder and its files to the user alone', async () => {
    const home = join(tempDir(), 'data');
    await startProcess({ home }).waitFor(/^Ready$/m);
    for (const folder of [home, join(home, 'run'), join(home, 'logs')]) {
      expect([folder, statSync(folder).mode & 0o777]).toEqual([folder, 0o700]);
    }
    const files = filesBelow(home);
    expect(files.length).toBeGreaterThan(6);
    for (const file of files) expect([file, statSync(file).mode & 0o077]).toEqual([file, 0]);
  });

  it('takes a data folder behind a link', async () => {
    const folder = tempDir();
    symlinkSync('.', join(folder, 'link'));
    const app = startProcess({ home: join(folder, 'link', 'data') });
    await app.waitFor(/^Ready$/m);
    expect(readInstance(join(folder, 'data')).pid).toBe(app.pid);
  });

  it('keeps the same account from start to start', async () => {
    const home = tempDir();
    for (const handle of ['frank', 'somebody-else']) {
      const app = startProcess({ home, env: { AGENTRELAY_HANDLE: handle } });
      await app.waitFor(/^Ready$/m);
      app.kill('SIGTERM');
      await app.ended;
    }
    const app = startProcess({ home });
    const [, relay] = await app.waitFor(/^Relay +(\S+)[^]*^Ready$/m);
    const card = await fetch(`${relay}/.well-known/agent-card.json?id=frank`);
    expect(card.status).toBe(200);
    expect((await fetch(`${relay}/.well-known/agent-card.json?id=somebody-else`)).status).toBe(404);
  });

  it('has its window where it was before', async () => {
    const home = tempDir();
    const origins: (string | undefined)[] = [];
    for (let n = 0; n < 2; n++) {
      const app = startProcess({ home });
      origins.push((await app.waitFor(/^Window +(\S+)\/#[^]*^Ready$/m))[1]);
      app.kill('SIGTERM');
      await app.ended;
    }
    expect(origins[1]).toBe(origins[0]);
  });

  it.each(['--help', '-h'])('says what it takes when it is asked with %s, and starts nothing', async (flag) => {
    const home = tempDir();
    const app = startProcess({ home, args: [flag] });
    expect((await app.ended).code).toBe(0);
    expect(app.stdout()).toMatch(/^Usage: npm start .*\n[^]*--home DIR[^]*--port N[^]*--headless/);
    expect(app.stderr()).toBe('');
    expect(readdirSync(home)).toEqual([]);
  });

  it.each([undefined, 'run', '/no/such/folder', '/dev/null'])(
    'takes a long data folder with XDG_RUNTIME_DIR %j',
    async (dir) => {
      const home = join(tempDir(), 'h'.repeat(100));
      const app = startProcess({ home, env: { XDG_RUNTIME_DIR: dir, TMPDIR: '/tmp' } });
      const [, socket] = await app.waitFor(/^MCP +(\S+)$/m);
      expect(socket).toMatch(/^\/tmp\/agentrelay-\d+\/[0-9a-f]{16}\.sock$/);
      await app.waitFor(/^Ready$/m);
      app.kill('SIGTERM');
      expect((await app.ended).code).toBe(0);
    },
  );

  it.each([
    [['--loud'], 2, /--loud/],
    [['--port', 'x'], 2, /"x" is no port/],
  ])('with %j ends with a sentence and the exit code %i', async (args, code, message) => {
    const app = startProcess({ home: tempDir(), args });
    expect((await app.ended).code).toBe(code);
    expect(app.stderr()).toMatch(message);
    expect(app.stderr()).not.toMatch(/^\s+at /m);
    expect(app.stdout()).toBe('');
  });
});

describe.skipIf(process.platform !== 'linux')(
  "a person's browser",
  { timeout: 60_000, ...because('it is about Linux') },
  () => {
    /** A start with a display; `xdg-open` is a program that notes what it is given. */
    function startWithDisplay(home: string, opener: boolean, args: readonly string[] = []): TestProcess {
      const programs = tempDir();
      if (opener)
        writeFileSync(join(programs, 'xdg-open'), `#!/bin/sh\necho "$1" >'${home}/opened'\n`, { mode: 0o755 });
      return run(process.execPath, [BROWSER_SHELL, '--home', home, '--port', '0', ...args], {
        env: {
          AGENTRELAY_HANDLE: 'frank',
          DISPLAY: ':0',
          PATH: opener ? `${programs}:${process.env['PATH']}` : programs,
        },
      });
    }

    it('opens at the address that is printed', async () => {
      const home = tempDir();
      const [, url] = await startWithDisplay(home, true).waitFor(/^Window +(\S+)[^]*^Ready$/m);
      await expect.poll(() => readIfThere(join(home, 'opened')), { timeout: 20_000 }).toBe(`${url}\n`);
    });

    it('opens for a second start too, at a fresh address', async () => {
      const home = tempDir();
      await startProcess({ home }).waitFor(/^Ready$/m);
      const second = startWithDisplay(home, true);
      expect((await second.ended).code).toBe(0);
      const [, url] = /^Window +(\S+)\n$/.exec(second.stdout()) ?? [];
      await expect.poll(() => readIfThere(join(home, 'opened')), { timeout: 20_000 }).toBe(`${url}\n`);
    });

    it('is not opened with --headless', async () => {
      const home = tempDir();
      const app = startWithDisplay(home, true, ['--headless']);
      await app.waitFor(/^Ready$/m);
      app.kill('SIGTERM');
      await app.ended;
      expect(readIfThere(join(home, 'opened'))).toBeUndefined();
    });

    it('may have no display to open on: the person is told to open the address', async () => {
      const home = tempDir();
      const first = run(process.execPath, [BROWSER_SHELL, '--home', home, '--port', '0'], { env: NO_DISPLAY });
      await first.waitFor(/^Ready$/m);
      await first.waitForError(/^Open this address in a browser\.\n$/);
      const second = run(process.execPath, [BROWSER_SHELL, '--home', home], { env: NO_DISPLAY });
      expect((await second.ended).code).toBe(0);
      expect(second.stderr()).toBe('AgentRelay already runs here.\nOpen this address in a browser.\n');
    });

    it('is not asked to open what is no address: an Electron that shows itself', async () => {
      const home = tempDir();
      await runApp(home, { shell: 'electron', openWindow: async () => 'Electron' });
      const second = startWithDisplay(home, true);
      expect((await second.ended).code).toBe(0);
      expect(second.stdout()).toBe('Window  Electron\n');
      expect(readIfThere(join(home, 'opened'))).toBeUndefined();
    });

    it('may be missing: the start says where the window is, and goes on', async () => {
      const home = tempDir();
      const app = startWithDisplay(home, false);
      const [, relay] = await app.waitFor(/^Relay +(\S+)[^]*^Ready$/m);
      expect((await fetch(`${relay}/.well-known/agent-card.json`)).status).toBe(200);
      await app.waitForError(/^Open this address in a browser\.$/m);
    });
  },
);

describe('the end', { timeout: 60_000 }, () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('by %s is clean: exit code 0, nothing left', async (signal) => {
    const home = tempDir();
    const app = startProcess({ home });
    await app.waitFor(/^Ready$/m);
    const { socket, relay } = readInstance(home);
    app.kill(signal);
    expect(await app.ended).toEqual({ code: 0, signal: null });
    expect(readdirSync(join(home, 'run'))).toEqual([]);
    expect(existsSync(socket)).toBe(false);
    expect(isAlive(app.pid)).toBe(false);
    await expect(fetch(relay.url)).rejects.toThrow('fetch failed');
  });

  it('by two signals at once, as a terminal and npm send them, is as clean', async () => {
    const home = tempDir();
    const app = startProcess({ home });
    await app.waitFor(/^Ready$/m);
    app.kill('SIGINT');
    app.kill('SIGINT');
    expect((await app.ended).code).toBe(0);
    expect(readdirSync(join(home, 'run'))).toEqual([]);
  });

  it('is not brought about by a reader that has seen enough', async () => {
    const home = tempDir();
    const app = startProcess({ home });
    await app.waitFor(/^Relay/m);
    app.closeOutput();
    await expect.poll(() => existsSync(join(home, 'run/instance.json')), { timeout: 20_000 }).toBe(true);
    expect((await fetch(`${readInstance(home).relay.url}/.well-known/agent-card.json`)).status).toBe(200);
    app.kill('SIGTERM');
    expect((await app.ended).code).toBe(0);
  });

  it('does not wait for a browser that still listens', async () => {
    const home = tempDir();
    const app = startProcess({ home });
    const [, origin, token] = await app.waitFor(/^Window +(\S+)\/#(\S+)[^]*^Ready$/m);
    const entered = await fetch(`${origin}/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: String(origin) },
      body: JSON.stringify({ token }),
    });
    const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? '';
    const events = await fetch(`${origin}/desk/events?after=0`, { headers: { cookie } });
    expect(events.status).toBe(200);
    app.kill('SIGTERM');
    expect((await app.ended).code).toBe(0);
    await events.body?.cancel().catch(() => undefined);
  });
});

describe('the port', { timeout: 60_000 }, () => {
  /** Somebody else's program. */
  async function occupy(port: number): Promise<number> {
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
    onTestFinished(() => void server.close());
    return (server.address() as AddressInfo).port;
  }

  it('that was asked for and is taken is an error that says what to do; nothing is left behind', async () => {
    const home = tempDir();
    const port = await occupy(0);
    const app = startProcess({ home, args: ['--port', String(port)] });
    expect((await app.ended).code).toBe(1);
    expect(app.stderr()).toMatch(new RegExp(`Port ${port} is taken.*--port`));
    expect(readdirSync(join(home, 'run'))).toEqual([]);
  });

  it('by default gives way to the next free one; that is said, and written where clients look', async () => {
    // another app of this machine may hold the default port, and then this test has what it needs all the same
    await occupy(7319).catch(() => undefined);
    const home = tempDir();
    const app = startProcess({ home, args: [] });
    const [, url] = await app.waitFor(/^Relay +(\S+)[^]*^Ready$/m);
    expect(Number(new URL(String(url)).port)).toBeGreaterThan(7319);
    expect(app.stderr()).toContain(`Port 7319 is taken by another program: the relay is at ${url}`);
    expect(readInstance(home).relay.url).toBe(url);
  });
});
