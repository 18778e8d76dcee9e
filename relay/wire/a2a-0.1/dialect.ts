import type { Dialect } from '../dialect.ts';
import { decode01 } from './decode.ts';
import { encodeAnswer01, frames01 } from './encode.ts';

/**
 * A2A 0.1. `tasks/get`, `tasks/cancel` and `tasks/resubscribe` have the same names in 0.3, which reads them; where their
 * id is an alias, this one answers.
 */
export const A2A_0_1: Dialect = {
  name: 'A2A 0.1',
  decode: decode01,
  encode: (answer, { alias }) => encodeAnswer01(answer, alias),
  frames: ({ alias }) => frames01(alias),
  extensionsHeader: 'x-a2a-extensions',
  refusesInStream: (method) => method === 'tasks/sendSubscribe',
};
