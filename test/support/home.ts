import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A data folder that goes with its disposal: `using home = new TempHome()`. */
export class TempHome implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'agentrelay-e2e-'));

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
