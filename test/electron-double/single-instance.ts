import { hash } from 'node:crypto';
import { readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a second process tells the first. */
export interface SecondInstance {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly data: unknown;
}

/**
 * One process for a folder. The lock is a link that names its owner's process id: made in one step, with its content,
 * as Chromium does it.
 */
export class SingleInstance {
  readonly #lock: string;
  readonly #socket: string;
  #server: Server | undefined;

  /** @param folder the `userData` folder */
  constructor(folder: string) {
    this.#lock = join(folder, 'double.lock');
    this.#socket = join(tmpdir(), `electron-double-${hash('sha256', folder).slice(0, 16)}.sock`);
  }

  /** Whether this process has the lock from now on. */
  acquire(onSecond: (second: SecondInstance) => void): boolean {
    if (this.#server) return true;
    if (!this.#link()) {
      if (this.#hasOwner()) return false;
      rmSync(this.#lock, { force: true });
      if (!this.#link()) return false;
    }
    rmSync(this.#socket, { force: true });
    this.#server = createServer({ allowHalfOpen: true }, (client) => {
      let text = '';
      client.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      client.on('end', () => {
        client.end();
        onSecond(JSON.parse(text) as SecondInstance);
      });
    }).listen(this.#socket);
    return true;
  }

  /** Tells the owner of the lock that we are here, once it listens. Gives up when it is gone. */
  async notifyOwner(second: SecondInstance): Promise<void> {
    for (let attempt = 0; attempt < 50; attempt++) {
      const told = await new Promise<boolean>((resolve) => {
        const client = connect(this.#socket, () => client.end(JSON.stringify(second)));
        client
          .on('error', () => resolve(false))
          .on('end', () => resolve(true))
          .resume();
      });
      if (told) return;
      await sleep(50);
    }
  }

  release(): void {
    if (!this.#server) return;
    this.#server.close();
    rmSync(this.#lock, { force: true });
  }

  /** A process that was killed leaves its lock behind. */
  #hasOwner(): boolean {
    try {
      process.kill(Number(readlinkSync(this.#lock)), 0);
      return true;
    } catch {
      return false;
    }
  }

  #link(): boolean {
    try {
      symlinkSync(String(process.pid), this.#lock);
      return true;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
      throw error;
    }
  }
}
