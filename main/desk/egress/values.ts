/** What stands for a value instead of being one: a variable, a call, a gap to be filled in. */
const REFERENCE =
  /^(?:[$<({[*#]|--|%\w+%|!(?:secret|vault|ref|sub|env|getatt)\b|op:\/\/|vault:|secrets?\.|process\.env|import\.meta|os\.environ|os\.getenv|getenv|env[.([]|ENV[.([]|~\/|\.{1,2}\/|\/[\w.-]+\/|\/dev\/|[A-Za-z]:\\)/;
/** Words of examples. */
const PLACEHOLDER =
  /example|placeholder|change[-_ ]?me|change[-_ ]?this|dummy|sample|redact|masked|your[-_ ]?|insert|replace|fill[-_ ]?in|fixme|todo|x{4,}|\*{3,}|\.{3}|…|<[^>]*>|\$\{|\{\{|\$\(/i;
const WORDS: ReadonlySet<string> = new Set(
  'auto default disabled empty enabled false foo bar baz hidden int integer key no none null number off on optional pass passwd password pw pwd random required secret str string test token true undefined unset value yes'.split(
    ' ',
  ),
);

/** Whether a value says of itself that it is none: `${TOKEN}`, `<your key>`, `changeme`, `process.env.TOKEN`, `xxxx`. */
export function isPlaceholder(value: string): boolean {
  return (
    value === '' ||
    REFERENCE.test(value) ||
    PLACEHOLDER.test(value) ||
    WORDS.has(value.toLowerCase()) ||
    /^(.)\1*$/s.test(value)
  );
}

/** Whether a key of a known form is one of those that documentation shows. Chance makes none of them. */
export function isExampleKey(key: string): boolean {
  return /example|your[-_]|x{6}|X{6}|0{8}|\*{3}|1234567890|abcdefghij/i.test(key);
}

/** Shannon's entropy of a text, bits a character: English has about 4 with its spaces, random base64 up to 6. */
export function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/**
 * Whether a text looks as if it was drawn and not written: long, of letters and digits, each about as often as another.
 * A hash in hexadecimal does not, whatever its length: most of them are no secret.
 */
export function looksRandom(text: string): boolean {
  return (
    text.length >= 20 &&
    /[a-z]/.test(text) &&
    /[A-Z]/.test(text) &&
    /\d/.test(text) &&
    !/\s/.test(text) &&
    entropy(text) >= 3.8
  );
}
