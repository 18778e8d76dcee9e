import type { z } from 'zod';
import { RelayError, type FieldViolation } from '../../relay/contract/reasons.ts';

/** The input of a command, checked. INVALID_PARAMS names each field that is wrong. */
export function parseInput<T>(schema: z.ZodType<T>, input: unknown): T {
  const read = schema.safeParse(input);
  if (read.success) return read.data;
  const violations = read.error.issues.map((issue) => ({ field: fieldOf(issue.path), description: describe(issue) }));
  throw new RelayError('INVALID_PARAMS', violations.map(inWords).join(' '), { violations });
}

function inWords({ field, description }: FieldViolation): string {
  return field === '' ? description : `${field}: ${description}`;
}

/** What is wrong, as it follows the name of the field; a sentence of the schema's own stays as it is. */
function describe(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'too_small':
      return issue.origin === 'string' && issue.minimum === 1 ? 'is empty.' : `is less than ${issue.minimum}.`;
    case 'too_big':
      if (issue.origin === 'string') return `has more than ${issue.maximum} characters.`;
      return issue.origin === 'array' ? `has more than ${issue.maximum} entries.` : `is more than ${issue.maximum}.`;
    default:
      return issue.message;
  }
}

/** `artifacts[0].path` */
function fieldOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (field, key) =>
      typeof key === 'number' ? `${field}[${key}]` : field === '' ? String(key) : `${field}.${String(key)}`,
    '',
  );
}
