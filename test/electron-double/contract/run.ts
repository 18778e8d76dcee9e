import type * as Electron from 'electron';
import { spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { atExit } from '../../support/at-exit.ts';

/** What main.mjs gives to a test's functions beside Electron. */
export interface Kit {
  readonly preloads: { readonly bridge: string; readonly throwing: string };
  /** Says something to the test. */
  readonly say: (value: unknown) => void;
  /** A window that shows the page of the contract app. */
  readonly open: () => Promise<Electron.BrowserWindow>;
  /** The text of what a function throws. */
  readonly failure: (act: () => unknown) => string;
}

/** A function for the main process. It reaches it as text, and sees nothing of what is around it here. */
export type InMain<T> = (electron: typeof Electron, kit: Kit) => T | Promise<T>;

/** What the contract app does before and after it is ready. */
export interface Contract {
  readonly before?: InMain<void>;
  readonly ready?: InMain<unknown>;
}

/** How to run Electron's main process: a command, and its arguments up to the script. */
export type Command = readonly [command: string, ...args: string[]];

export const DOUBLE: Command = [
  process.execPath,
  '--import',
  fileURLToPath(new URL('../register.mjs', import.meta.url)),
];

const MAIN = fileURLToPath(new URL('main.mjs', import.meta.url));

/** A run of the contract app. */
export interface ContractRun {
  readonly child: ChildProcess;
  /** The next thing that it says; rejects when it ends without a word. */
  readonly next: () => Promise<unknown>;
  /** All that it says until it ends, which must be in order. */
  readonly end: () => Promise<readonly unknown[]>;
}

/** Runs of the contract app that share a `userData` folder. Disposing of it ends them and removes the folder. */
export class Contracts {
  readonly #command: Command;
  readonly home = mkdtempSync(join(tmpdir(), 'electron-contract-'));
  /** The folder for temporary files of the runs. */
  readonly tmp = join(this.home, 'tmp');
  readonly #children: ChildProcess[] = [];
  #endServing: (() => Promise<void>) | undefined;
  readonly #forget = atExit(() => {
    this.#kill();
    this.#remove();
  });

  constructor(command: Command) {
    this.#command = command;
    mkdirSync(this.tmp);
  }

  /** Starts the app. */
  start({ before = () => {}, ready = () => {} }: Contract, port = ''): ContractRun {
    const [command, ...args] = this.#command;
    const env = {
      ...process.env,
      TMPDIR: this.tmp,
      CONTRACT_HOME: join(this.home, 'userData'),
      CONTRACT_BEFORE: String(before),
      CONTRACT_READY: String(ready),
      CONTRACT_PORT: port,
    };
    const child = spawn(command, [...args, MAIN], { stdio: ['ignore', 'pipe', 'pipe'], env });
    this.#children.push(child);
    return follow(child);
  }

  /** Runs the app to its end. Returns what it said. */
  run(contract: Contract): Promise<readonly unknown[]> {
    return this.start(contract).end();
  }

  /** Starts an app that stays, and runs one function after the other; the windows of one are gone before the next. */
  async serve(): Promise<<T>(run: InMain<T>) => Promise<T>> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { child, end } = this.start({}, String((server.address() as AddressInfo).port));
    const [socket] = (await Promise.race([once(server, 'connection'), end()])) as [Socket];
    server.close();
    this.#endServing = async () => {
      socket.end();
      if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
    };
    const replies = createInterface({ input: socket })[Symbol.asyncIterator]();
    return async <T>(run: InMain<T>): Promise<T> => {
      socket.write(`${JSON.stringify(String(run))}\n`);
      const line = await replies.next();
      if (line.done) throw new Error('The contract app has ended');
      const reply = JSON.parse(line.value) as { value: T } | { error: string };
      if ('error' in reply) throw new Error(reply.error);
      return reply.value;
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#forget();
    await this.#endServing?.();
    await Promise.all(this.#kill().map((child) => once(child, 'close')));
    this.#remove();
  }

  #kill(): readonly ChildProcess[] {
    const running = this.#children.filter((child) => child.exitCode === null && child.signalCode === null);
    for (const child of running) child.kill('SIGKILL');
    return running;
  }

  #remove(): void {
    // a browser that was killed may still be writing
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5 });
  }
}

function follow(child: ChildProcessByStdio<null, Readable, Readable>): ContractRun {
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const closed = once(child, 'close');
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const read = async (): Promise<{ readonly said: unknown } | undefined> => {
    const line = await lines.next();
    if (line.done) return undefined;
    return line.value.startsWith('SAID ') ? { said: JSON.parse(line.value.slice('SAID '.length)) as unknown } : read();
  };
  const failure = (): Error => new Error(`The contract app ended with ${child.exitCode}:\n${stderr}`);
  return {
    child,
    next: async () => {
      const one = await read();
      if (one) return one.said;
      await closed;
      throw failure();
    },
    end: async () => {
      const all: unknown[] = [];
      for (let one = await read(); one; one = await read()) all.push(one.said);
      await closed;
      if (child.exitCode !== 0) throw failure();
      return all;
    },
  };
}
