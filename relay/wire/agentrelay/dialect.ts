import { encodeAnswer03, encodeFrame03 } from '../a2a-0.3/encode.ts';
import type { Dialect } from '../dialect.ts';
import { decodeExtension } from './decode.ts';

/** The methods of our own extension, which answer in the form of 0.3 under any version (docs/extension.md). */
export const AGENTRELAY: Dialect = {
  name: 'AgentRelay',
  decode: decodeExtension,
  encode: encodeAnswer03,
  frames: () => (frame) => [encodeFrame03(frame)],
  extensionsHeader: 'a2a-extensions',
  refusesInStream: () => false,
};
