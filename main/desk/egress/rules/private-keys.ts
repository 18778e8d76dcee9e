import { byPattern, type Rule } from './rule.ts';

/** What may stand before each line of a key: a diff's sign, a quotation mark, a margin. */
const MARGIN = '[ \\t>|+#*]{0,8}-?[ \\t]{0,4}';
const LINE_END = '(?:\\r?\\n|\\r)';
const HEADER = `${MARGIN}[A-Za-z-]{1,40}:[^\\r\\n]{0,200}${LINE_END}`;

/**
 * PEM, OpenSSH and PGP (RFC 7468, RFC 4716): the first line with some of the key after it, whether its end was sent or
 * not. The line alone is what people write about.
 */
const pem = byPattern(
  'private-key',
  new RegExp(
    [
      '-----BEGIN ?(?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----',
      `(?:\\s{0,64}|${LINE_END}(?:${HEADER}){0,8}(?:${MARGIN}${LINE_END}){0,4})`,
      `${MARGIN}[A-Za-z0-9+/=]{24,4096}(?:\\s{0,8}${MARGIN}[A-Za-z0-9+/=]{16,4096}){0,400}`,
      `(?:(?:\\s{0,8}${MARGIN}[A-Za-z0-9+/=]{1,64}){0,2}\\s{0,8}${MARGIN}-----END[^\\r\\n]{0,60}?-----)?`,
    ].join(''),
    'dg',
  ),
);

/** PuTTY's (.ppk): the public part comes first, then the private one. */
const putty = byPattern(
  'private-key',
  /Private-Lines: \d{1,4}\s{1,8}[ \t>|+-]{0,8}(?<secret>[A-Za-z0-9+/=]{24,4096})/dg,
);

/** age's own form (age-encryption.org). */
const age = byPattern('private-key', /AGE-SECRET-KEY-(?:PQ-)?1[A-Z0-9]{50,4096}/dg);

/** A JSON Web Key with its private part (RFC 7517 section 4, RFC 7518 section 6): `d`, or `k` of a symmetric one. */
const jwk = byPattern('private-key', /"(?:d|k)"\s{0,8}:\s{0,8}"(?<secret>[\w-]{32,1024})"/dg);

export const privateKeys: readonly Rule[] = [pem, putty, age, jwk];
