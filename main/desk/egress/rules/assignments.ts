import { isPlaceholder, looksRandom } from '../values.ts';
import { byPattern, type Groups, type Rule } from './rule.ts';

/** Words in a name that say that its value is a secret. */
const SECRETS: ReadonlySet<string> = new Set(
  'apikey auth authtoken credential credentials dsn passphrase passwd password pass pwd pat private salt secret secretkey signature token'.split(
    ' ',
  ),
);
/** Of these keys one is told. */
const KEYS: ReadonlySet<string> = new Set(
  'access account admin api app auth client deploy encryption jwt license master private secret server service session sign signing'.split(
    ' ',
  ),
);
/** What a secret has beside itself. */
const ABOUT: ReadonlySet<string> = new Set(
  'age algorithm bytes class count dir duration endpoint enabled env error expires expiry field file format header hint host id kind label length limit max min mode name owner path pattern placeholder policy port prefix provider public role rule scheme scope size sock socket status suffix test timeout ttl type url user username version'.split(
    ' ',
  ),
);

/** Whether a name in any case (`API_KEY`, `apiKey`, `api-key`) is that of a secret. */
function namesSecret(name: string): boolean {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z\d]+/);
  const last = words.at(-1) ?? '';
  if (ABOUT.has(last)) return false;
  return words.some((word, at) => SECRETS.has(word) || (word === 'key' && KEYS.has(words[at - 1] ?? '')));
}

/** A value without what quotes it. */
function bare(value: string): string {
  return value.replace(/^(["'`])(.*)\1$/s, '$2');
}

const isSecretLine = ({ name = '', secret = '' }: Groups): boolean => {
  const value = bare(secret);
  if (isPlaceholder(value) || /^(?:sha\d{1,3}|md5)[-:]/.test(value)) return false;
  if (namesSecret(name)) return value.length >= 4;
  return looksRandom(value);
};

/** `NAME=value`, of a .env file, a shell, a Dockerfile, a unit of systemd; a line of a diff too. */
const environment = byPattern(
  'env-line',
  /(?<![\w$.{%]|\$\(|[^\n]-)(?<name>[A-Z][A-Z0-9_]{2,63})=(?<secret>"[^"\n]{1,4096}"|'[^'\n]{1,4096}'|[^\s"'`;&|)(<>{},]{1,4096}(?![({\w]))/dg,
  isSecretLine,
);

/** `apiKey: '…'`, `"password": "…"`, `client_secret = "…"`: a literal, in code or in a file of settings. */
const literal = byPattern(
  'assigned-secret',
  /(?<![\w-])(?<name>[A-Za-z][\w-]{2,63})["'`]?\s{0,4}(?::|=>?|:=)\s{0,4}(?<quote>["'`])(?<secret>[^\s"'`]{8,512})\k<quote>/dg,
  ({ name = '', secret = '' }) => namesSecret(name) && !isPlaceholder(secret) && isMixed(secret),
);

/** `password: hunter2`, a line of YAML. */
const yaml = byPattern(
  'assigned-secret',
  /(?<=^[ \t>|+*-]{0,32})(?<name>[A-Za-z][\w-]{2,63}):[ \t]{1,4}(?<secret>[^\s"'`#,;()[\]{}<>$*&!|]{8,512})[ \t]{0,8}$/dgm,
  ({ name = '', secret = '' }) => namesSecret(name) && !isPlaceholder(secret) && isMixed(secret),
);

/** Of letters and digits: a word or a number in quotes is most often none. */
function isMixed(value: string): boolean {
  return /\d/.test(value) && /[A-Za-z]/.test(value) && !/^[a-z]+(?:[-_.:/][a-z]+)*\d{0,2}$/i.test(value);
}

/** Secrets that are known by the name that they are given. */
export const assignments: readonly Rule[] = [environment, literal, yaml];
