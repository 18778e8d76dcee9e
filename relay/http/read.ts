import { z } from 'zod';
import { RelayError } from '../contract/reasons.ts';

/** A number in a query. */
export const count = z
  .string()
  .regex(/^\d{1,15}$/, 'must be a whole number')
  .transform(Number);

/** INVALID_PARAMS with every field that is wrong. */
export function read<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const violations = parsed.error.issues.slice(0, 20).map((issue) => ({
    field: issue.path.join('.') || 'body',
    description: issue.message,
  }));
  throw new RelayError('INVALID_PARAMS', 'Some values cannot be used; the details name them.', { violations });
}
