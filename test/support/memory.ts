import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');

/** Bytes on the heap that are still in use, after everything else was given back. */
export function heapInUse(): number {
  if (typeof collect !== 'function') throw new Error('this Node cannot collect on demand');
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}
