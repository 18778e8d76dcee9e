import type { Dialect } from '../dialect.ts';
import { decode03 } from './decode.ts';
import { encodeAnswer03, encodeFrame03 } from './encode.ts';

const STREAMS: ReadonlySet<string> = new Set(['message/stream', 'tasks/resubscribe']);

/** A2A 0.3, and 0.2 before it, which differs in nothing that its reader does not take. */
export const A2A_0_3: Dialect = {
  name: 'A2A 0.3',
  decode: decode03,
  encode: encodeAnswer03,
  frames: () => (frame) => [encodeFrame03(frame)],
  extensionsHeader: 'x-a2a-extensions',
  refusesInStream: (method) => STREAMS.has(method),
};
