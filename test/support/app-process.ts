import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ROOT } from './project-root.ts';

/** A process of a test: what it wrote, and how it ended. */
export interface TestProcess {
  readonly pid: number;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves with what the pattern found on stdout; fails when the process ends without it. */
  waitFor(pattern: RegExp): Promise<RegExpExecArray>;
  /** The same on stderr. */
  waitForError(pattern: RegExp): Promise<RegExpExecArray>;
  /** Reads its output no further: what it writes from then on fails. */
  closeOutput(): void;
  kill(signal: NodeJS.Signals): void;
  /** Resolves when it has ended and everything it wrote has been read. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly input?: string;
}

/** Starts a program; it and what it started are killed when the test ends. */
export function run(command: string, args: readonly string[], { env = {}, input }: RunOptions = {}): TestProcess {
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { ...cleanEnv(), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    // a process group of its own, so that nothing it starts outlives the test
    detached: true,
  });
  // a program that fails at once reads nothing of it
  child.stdin.on('error', () => undefined).end(input);
  const { pid } = child;
  if (pid === undefined) throw new Error(`${command} could not be started`);
  onTestFinished(() => killGroup(pid));
  return observe(child, pid);
}

function observe(child: ChildProcess, pid: number): TestProcess {
  let out = '';
  let err = '';
  const watchers = new Set<() => void>();
  const tell = (): void => {
    for (const watcher of watchers) watcher();
  };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    out += text;
    tell();
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    err += text;
    tell();
  });
  let isOver = false;
  const { promise: ended, resolve } = Promise.withResolvers<Awaited<TestProcess['ended']>>();
  child.once('close', (code, signal) => {
    isOver = true;
    resolve({ code, signal });
    tell();
  });
  const waitIn =
    (text: () => string) =>
    (pattern: RegExp): Promise<RegExpExecArray> =>
      new Promise((found, failed) => {
        const look = (): void => {
          const match = pattern.exec(text());
          if (match === null && !isOver) return;
          watchers.delete(look);
          if (match !== null) found(match);
          else failed(new Error(`ended without ${String(pattern)}:\n${out}\n${err}`));
        };
        watchers.add(look);
        look();
      });
  return {
    pid,
    ended,
    stdout: () => out,
    stderr: () => err,
    waitFor: waitIn(() => out),
    waitForError: waitIn(() => err),
    closeOutput: () => {
      child.stdout?.destroy();
      child.stderr?.destroy();
    },
    kill: (signal) => void process.kill(pid, signal),
  };
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // all of it has ended
  }
}

/** The test's own environment, without what would make a start behave otherwise. */
function cleanEnv(): Record<string, string | undefined> {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(?:AGENTRELAY_|npm_|NODE_OPTIONS$|VITEST|DISPLAY$|WAYLAND_DISPLAY$)/.test(name),
  );
  return Object.fromEntries(own);
}

/** How an app is started. */
export interface AppProcessOptions extends RunOptions {
  /** The data folder. */
  readonly home: string;
  /** After `--headless --home HOME`; default `--port 0`. */
  readonly args?: readonly string[];
}

/** A start of the built app, as `npm start -- --headless` does it. */
export function startProcess({ home, args = ['--port', '0'], env = {} }: AppProcessOptions): TestProcess {
  requireBuild();
  return run(process.execPath, [join(ROOT, 'scripts/start.mjs'), '--headless', '--home', home, ...args], {
    env: { AGENTRELAY_HANDLE: 'frank', AGENTRELAY_NAME: 'acme', ...env },
  });
}

/** The built `agentrelay` command, by its launcher. */
export function agentrelay(home: string, args: readonly string[], options: RunOptions = {}): TestProcess {
  requireBuild();
  return run(join(ROOT, 'bin/agentrelay'), ['--home', home, ...args], options);
}

function requireBuild(): void {
  if (!existsSync(join(ROOT, 'out/main/browser.js'))) throw new Error('Not built: run "npm run build" first.');
}

/** Where a running app says it is. */
export function readInstance(home: string): { pid: number; socket: string; relay: { url: string } } {
  return JSON.parse(readFileSync(join(home, 'run/instance.json'), 'utf8')) as ReturnType<typeof readInstance>;
}

/** Whether a process is there (and no zombie that its parent has not looked after). */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return process.platform !== 'linux';
  }
}
