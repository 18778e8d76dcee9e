import { describe, expect, test } from 'vitest';
import { scanEgress } from '../../../../main/desk/egress/scan-egress.ts';

/** Texts that make each rule begin as often as it can and end as late, without ever finding what it is about. */
const HARD: Readonly<Record<string, string>> = {
  letters: 'a',
  dashes: '-',
  dots: '.',
  spaces: ' ',
  'line ends': '\n',
  quotes: '"',
  backslashes: '\\',
  'escaped line ends': '\\n',
  'escaped characters': '\\u000a',
  'signs of equality': '=',
  'beginnings of addresses': 'http://',
  'beginnings of addresses with a name': 'http://a:',
  'long passwords of addresses': `h://aaa:${'b'.repeat(256)}`,
  'first lines of keys': '-----BEGIN PRIVATE KEY-----',
  'first lines of keys and a word': `-----BEGIN PRIVATE KEY-----${'a'.repeat(10_000)}`,
  'keys of short lines': `-----BEGIN PRIVATE KEY-----\n${'aaaa\n'.repeat(3000)}`,
  'keys of margins': `-----BEGIN PRIVATE KEY-----\n${'+ + + +\n'.repeat(30)}`,
  'keys of headers': `-----BEGIN PRIVATE KEY-----\n${'A-b: x\n'.repeat(9)}`,
  'keys of lines and spaces': `-----BEGIN PRIVATE KEY-----\n${`${'a'.repeat(24)}        \n`.repeat(400)}!`,
  'beginnings of keys': 'sk-',
  'keys that go on': ` sk-${'a'.repeat(277)}_`,
  'keys of Slack': 'xoxb-',
  'keys of SendGrid': `SG.a.${'a'.repeat(300)} `,
  'keys of GitHub': `${'ghs_1_'.repeat(160)}.${'a'.repeat(10_000)} `,
  'beginnings of tokens': '--eyJ',
  'parts of tokens': '.eyJaaaaaaaa',
  'long tokens': `eyJ${'a'.repeat(4096)}.eyJ${'b'.repeat(8192)} `,
  'names of an environment': 'ABC=',
  'long names of an environment': `${'A'.repeat(64)}=`,
  'open quotes': 'TOKEN="',
  'open quotes with spaces': "TOKEN='a ",
  'names of secrets': 'token:',
  'names of secrets with a quote': 'token:"',
  'names of secrets on lines': 'token: aaaaaaaa1\n',
  margins: '> ',
  'lines of margin': `${' '.repeat(31)}\n`,
  headers: 'authorization: bearer ',
  cookies: `cookie: ${'a=b; '.repeat(20)}`,
  'cookies without an end': `cookie: ${'a'.repeat(64)}`,
  'calls of curl': 'curl ',
  'calls of curl with flags': `curl ${' -u'.repeat(60)}`,
  'home folders': '/home/',
  'home folders of one person': '/home/frank/',
  'ids of AWS': 'AKIAQQQQQQQQQQQQQQQQ ',
  'runs of base64': 'QUJDQUJDQUJDQUJDQUJDQUJDQUJD ',
  'one run of base64': 'QUJD',
  'lines of base64': `${'QUJD'.repeat(19)}\n`,
};

const SMALL = 24 * 1024;
const TIMES = 8;
/** Of a time so short nothing can be said, on a machine with other work. */
const NOISE_MS = 60;

async function timeOf(text: string): Promise<number> {
  const from = performance.now();
  await scanEgress([{ where: 'body', text }], { homeDirs: ['/home/frank'] });
  return performance.now() - from;
}

/** The shorter of two: what else the machine did is in neither, or in one. */
const quickest = async (text: string): Promise<number> => Math.min(await timeOf(text), await timeOf(text));

describe('eight times the text takes about eight times the time, and not sixty-four', () => {
  test.each(Object.entries(HARD))('%s', async (_, piece) => {
    const make = (length: number): string => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
    const small = await quickest(make(SMALL));
    expect(await quickest(make(SMALL * TIMES))).toBeLessThan(small * TIMES * 5 + NOISE_MS);
  });
});
