/**
 * Secrets that nobody has, for what looks for secrets. They are put together when they are needed, so that no scanner takes
 * these files for a leak.
 */
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** So many letters and digits that look drawn, the same each time. */
export function drawn(length: number, from = LETTERS): string {
  let state = 20_261_130;
  let text = '';
  while (text.length < length) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    text += from[(state >>> 8) % from.length] ?? '';
  }
  return text;
}

export const hex = (length: number): string => drawn(length, '0123456789abcdef');

/** A key in PEM, of so many lines. */
export function pem(kind = 'RSA PRIVATE', lines = 6): string {
  const body = Array.from({ length: lines }, (_, n) => drawn(64 + n).slice(n));
  return [`-----BEGIN ${kind} KEY-----`, ...body, `-----END ${kind} KEY-----`].join('\n');
}

export const base64url = (value: string): string => Buffer.from(value).toString('base64url');

export const jwt = (): string =>
  [base64url('{"alg":"HS256","typ":"JWT"}'), base64url('{"sub":"frank","iat":1764547200}'), drawn(43)].join('.');
