import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atExit } from './at-exit.ts';

/** A data folder that goes with its disposal: `using home = new TempHome()`. */
export class TempHome implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'agentrelay-e2e-'));
  readonly #kept = atExit(() => this.#remove());

  [Symbol.dispose](): void {
    this.#kept();
    this.#remove();
  }

  #remove(): void {
    // a browser that was killed may still be writing
    rmSync(this.path, { recursive: true, force: true, maxRetries: 5 });
  }
}
