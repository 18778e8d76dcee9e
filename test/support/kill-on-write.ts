import { watch } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * For a worker thread, which is prompt where the test's own thread is busy: kills a process at the moment of the n-th
 * write to a file that it writes. Tells when it watches.
 */
export interface KillOnWrite {
  readonly dir: string;
  /** In `dir`. */
  readonly file: string;
  readonly pid: number;
  readonly writes: number;
}

const { dir, file, pid, writes } = workerData as KillOnWrite;
let left = writes;
const watcher = watch(dir, (_event, name) => {
  if (name !== file || --left > 0) return;
  watcher.close();
  process.kill(pid, 'SIGKILL');
});
parentPort?.postMessage('watching');
