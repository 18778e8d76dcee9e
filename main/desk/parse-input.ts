import type { z } from 'zod';
import { RelayError, type FieldViolation } from '../../relay/contract/reasons.ts';

/** The input of a command, checked. INVALID_PARAMS names each field that is wrong. */
export function parseInput<T>(schema: z.ZodType<T>, input: unknown): T {
  const read = schema.safeParse(input);
  if (read.success) return read.data;
  const violations = read.error.issues.map(({ path, message }) => ({ field: fieldOf(path), description: message }));
  throw new RelayError('INVALID_PARAMS', violations.map(inWords).join(' '), { violations });
}

function inWords({ field, description }: FieldViolation): string {
  return field === '' ? description : `${field}: ${description}`;
}

/** `artifacts[0].path` */
function fieldOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (field, key) =>
      typeof key === 'number' ? `${field}[${key}]` : field === '' ? String(key) : `${field}.${String(key)}`,
    '',
  );
}
