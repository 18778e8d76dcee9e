import { z } from 'zod';
import { invalidParams } from '../contract/reasons.ts';
import type { Handoff, ListQuery } from '../store/ports.ts';

const tokenSchema = z.tuple([z.int().nonnegative(), z.string().max(64)]);

/** Where a page ended. It is compared, never looked up: it stays good whatever happens to the handoff it names. */
export function pageToken(last: Handoff): string {
  return Buffer.from(JSON.stringify([last.statusAt, last.id])).toString('base64url');
}

/** Reads a token back; empty and absent are the first page. INVALID_PARAMS for what is none of ours. */
export function readPageToken(field: string, token: string | undefined): Pick<ListQuery, 'after'> {
  if (token === undefined || token === '') return {};
  const parsed = tokenSchema.safeParse(parse(token));
  if (!parsed.success) {
    throw invalidParams(field, 'is no token of this relay. Leave it out to start with the first page.');
  }
  const [statusAt, taskId] = parsed.data;
  return { after: { statusAt, taskId } };
}

function parse(token: string): unknown {
  try {
    return JSON.parse(Buffer.from(token, 'base64url').toString());
  } catch {
    return undefined;
  }
}
