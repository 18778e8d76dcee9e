import type { z } from 'zod';
import type { Surface } from '../../relay/contract/desk-api.ts';
import { parseInput } from './parse-input.ts';

/** A command of the desk whose input is parsed before it runs. It fails with INVALID_PARAMS. */
export function checked<I, O>(
  { input: schema }: { readonly input: z.ZodType<I> },
  run: (input: I, surface: Surface) => Promise<O>,
): (input: unknown, surface: Surface) => Promise<O> {
  return async (input, surface) => run(parseInput(schema, input), surface);
}
