import { z } from 'zod';

/** The part before `@`: ASCII, so that no two handles look alike. 1 to 64 characters. */
export const NAME_PATTERN = /^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$/;
/** The part after `@`: the name a relay took at its first start. */
export const RELAY_NAME_PATTERN = NAME_PATTERN;

/** `name`, or `name@relay`. The relay's name is a label, never an identity. */
export interface Handle {
  readonly name: string;
  readonly relay?: string;
}

/**
 * Reads `name` or `name@relay`, whatever its letter case. undefined when the text is no handle.
 * Percent-encoding is the caller's business: `alice%40acme` must arrive decoded.
 */
export function parseHandle(text: string): Handle | undefined {
  // before it is made lower case, which turns a few letters of other scripts into ASCII
  if (text.length > 129 || !/^[\x21-\x7e]+$/.test(text)) return undefined;
  const [name, relay, ...rest] = text.toLowerCase().split('@');
  if (name === undefined || rest.length > 0 || !NAME_PATTERN.test(name)) return undefined;
  if (relay === undefined) return { name };
  return RELAY_NAME_PATTERN.test(relay) ? { name, relay } : undefined;
}

/** The full form, `name@relay`. */
export function formatHandle(name: string, relay: string): string {
  return `${name}@${relay}`;
}

/** What a relay is called. */
export const relayNameSchema = z.string().regex(RELAY_NAME_PATTERN, {
  error: 'A relay is called by lower-case letters, digits, dot, dash, underscore; at most 64.',
});

/** Makes any text (a user name, a host name) usable as the part before or after `@`. Never empty. */
export function safeName(text: string, fallback: string): string {
  const safe = text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^a-z0-9._-]+/g, '-')
    .slice(0, 64)
    .replace(/^[^a-z0-9]+|[^a-z0-9]+$/g, '');
  return safe === '' ? fallback : safe;
}

/** A handle as people and programs give it. */
export const handleSchema = z.string().refine((text) => parseHandle(text) !== undefined, {
  error: 'A handle is name or name@relay: lower-case letters, digits, dot, dash, underscore; at most 64 a side.',
});
