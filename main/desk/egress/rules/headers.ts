import { isPlaceholder } from '../values.ts';
import { byPattern, type Groups, type Rule } from './rule.ts';

const isValue = ({ secret = '' }: Groups): boolean => !isPlaceholder(secret);

/** HTTP headers that carry who somebody is (RFC 9110 section 11.6.2, RFC 6265), as they stand in logs, in code and for curl. */
export const headers: readonly Rule[] = [
  byPattern(
    'authorization-header',
    /\b(?:proxy-)?authorization["'`]{0,2}\s{0,8}[:=,]\s{0,8}["'`]{0,2}(?:bearer|basic|token|digest|negotiate|apikey|aws4-hmac-sha256|bot)\s{1,8}(?<secret>[\w+/=.~:-]{8,4096})/dgi,
    isValue,
  ),
  byPattern(
    'api-key-header',
    /\b(?:x-(?:api-key|auth-token|access-token|vault-token|goog-api-key|amz-security-token|csrf-token)|private-token|api-key)["'`]{0,2}\s{0,8}[:=]\s{0,8}["'`]{0,2}(?<secret>[\w+/=.~-]{12,4096})/dgi,
    ({ secret = '' }) => !isPlaceholder(secret) && /\d/.test(secret),
  ),
  byPattern(
    'cookie-header',
    /\b(?:set-)?cookie["'`]{0,2}\s{0,8}:\s{0,8}["'`]{0,2}(?:[\w.-]{1,64}=[^;\s"'`]{0,16};\s{0,4}){0,16}[\w.-]{1,64}=(?<secret>[^\s;,"'`$<{]{12,4096})/dgi,
    ({ secret = '' }) => !isPlaceholder(secret) && /\d/.test(secret),
  ),
  byPattern(
    'curl-user',
    /\bcurl\b[^\n]{0,200}?\s(?:-u|--user)[ =]["']?[\w.@-]{1,64}:(?<secret>[^\s"']{4,256})/dg,
    isValue,
  ),
];
