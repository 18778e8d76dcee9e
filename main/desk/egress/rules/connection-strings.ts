import { isPlaceholder } from '../values.ts';
import { byPattern, type Rule } from './rule.ts';

/** Addresses and strings that programs connect with, where a password stands in them. */
export const connectionStrings: readonly Rule[] = [
  byPattern(
    'connection-string',
    /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{1,30}:\/\/[^\s:/@"'`<>]{0,128}:(?<secret>[^\s/@"'`<>]{3,256})@[\w.[\]-]{1,253}/dgi,
    ({ secret = '' }) => !isPlaceholder(secret),
  ),
  byPattern(
    'connection-string',
    /(?<![\w])(?:Password|Pwd|AccountKey|SharedAccessKey|SharedSecretValue)\s{0,2}=\s{0,2}(?<secret>[^;\s"'`]{4,256});/dg,
    ({ secret = '' }) => !isPlaceholder(secret),
  ),
  // a key of Azure's storage is 64 bytes; it ends the string as often as not
  byPattern('connection-string', /\b(?:AccountKey|SharedAccessKey)=(?<secret>[A-Za-z0-9+/]{43,86}={1,2})/dg),
];
