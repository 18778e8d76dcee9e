import type { Rule } from './rule.ts';

/** How far from its id the secret of a pair may stand, characters. */
const NEAR = 200;
const ID = /(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z2-7]{16}(?![A-Za-z0-9])/g;
const SECRET = /(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=])/g;

/** An AWS secret has no form of its own: 40 characters of base64 near to the id of a key, whatever they are called. */
export const awsPairs: Rule = function* rule(text) {
  let last = 0;
  for (const { index } of text.matchAll(ID)) {
    const from = Math.max(last, index - NEAR);
    last = index + NEAR;
    for (const { 0: secret, index: at } of text.slice(from, last).matchAll(SECRET)) {
      if (!/[a-z]/.test(secret) || !/[A-Z]/.test(secret) || !/\d/.test(secret)) continue;
      yield { rule: 'aws-secret', start: from + at, end: from + at + secret.length };
    }
  }
};
