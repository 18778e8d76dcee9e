import { describe, expect, test } from 'vitest';
import { MAX_SCANNED, scanEgress } from '../../../../main/desk/egress/scan-egress.ts';
import { drawn, jwt, pem } from './secrets.ts';

const context = { homeDirs: ['/home/frank'] };
const KEY = `ar_${drawn(43)}`;

const scan = (text: string, where = 'body') => scanEgress([{ where, text }], context);

describe('a finding', () => {
  test('says where, by which rule, and which characters', async () => {
    expect(await scan(`use ${KEY} please`, 'artifacts[0].diff')).toEqual([
      { where: 'artifacts[0].diff', rule: 'agentrelay-key', start: 4, end: 50, masked: 'ar_S…wc, 46 characters' },
    ]);
  });

  test('never has the secret in it', async () => {
    for (const secret of [KEY, jwt(), pem(), 'DB_PASSWORD=hunter22', 'postgres://frank:hunter22@db/app']) {
      const findings = await scan(`x ${secret} y`);
      expect(findings).not.toEqual([]);
      for (const { masked, start, end } of findings) {
        const [shown = ''] = masked.split(', ');
        expect(shown.replace('…', '').length).toBeLessThanOrEqual(6);
        expect(masked).toContain(`${end - start} characters`);
        expect(JSON.stringify(findings)).not.toContain(secret.slice(-12, -1));
      }
    }
  });

  test('shows nothing of a short secret, and stays on its line', async () => {
    expect((await scan('DB_PASSWORD=hunter22'))[0]?.masked).toBe('…, 8 characters');
    expect((await scan(`DB_PASSWORD="p\u202eä${'q7Lm29'.repeat(4)}"`))[0]?.masked).toBe('"p··…9", 29 characters');
  });

  test('is one for what several rules find', async () => {
    const line = `ANTHROPIC_API_KEY=sk-ant-api03-${drawn(93)}AA`;
    expect(await scan(line)).toEqual([
      expect.objectContaining({ rule: 'anthropic', start: line.indexOf('sk-'), end: line.length }),
    ]);
    const auth = `Authorization: Bearer ${jwt()}`;
    expect(await scan(auth)).toEqual([expect.objectContaining({ rule: 'jwt', end: auth.length })]);
  });

  test('is there for each place, in their order', async () => {
    const text = `a ${KEY}\nb ${jwt()}\nc ${KEY}\nd /home/frank/x`;
    const findings = await scan(text);
    expect(findings.map(({ rule }) => rule)).toEqual(['agentrelay-key', 'jwt', 'agentrelay-key', 'home-path']);
    for (const [at, { start, end }] of findings.entries()) {
      expect(start).toBeLessThan(end);
      expect(start).toBeGreaterThanOrEqual(findings[at - 1]?.end ?? 0);
    }
  });
});

describe('passages', () => {
  test('are each looked through, and what is found is named by its own', async () => {
    const findings = await scanEgress(
      [
        { where: 'body', text: 'nothing' },
        { where: 'reason', text: KEY },
        { where: 'artifacts[0].diff', text: '' },
        { where: 'artifacts[1].url', text: `https://acme.example/?k=${KEY}` },
      ],
      context,
    );
    expect(findings.map(({ where, start }) => [where, start])).toEqual([
      ['reason', 0],
      ['artifacts[1].url', 24],
    ]);
  });

  test('make no secret together that none of them has', async () => {
    const halves = [KEY.slice(0, 20), KEY.slice(20)].map((text, n) => ({ where: `[${n}]`, text }));
    expect(await scanEgress(halves, context)).toEqual([]);
    expect(
      await scanEgress(
        [
          { where: 'a', text: 'DB_PASSWORD=' },
          { where: 'b', text: 'hunter22' },
        ],
        context,
      ),
    ).toEqual([]);
  });

  test('may be very many', async () => {
    const many = Array.from({ length: 20_000 }, (_, n) => ({ where: `[${n}]`, text: n === 12_345 ? KEY : 'x' }));
    expect((await scanEgress(many, context)).map(({ where }) => where)).toEqual(['[12345]']);
  });

  test('may be none, or empty', async () => {
    expect(await scanEgress([], context)).toEqual([]);
    expect(await scan('')).toEqual([]);
  });

  test('that say that they are not to be looked at are', async () => {
    for (const say of [
      'secretlint-disable',
      '// secretlint-disable-line',
      'secretlint-disable-next-line',
      'gitleaks:allow',
    ]) {
      expect(await scan(`${say}\nsee ${KEY} ${say}\nnpm_${drawn(36)} ${say}`)).toHaveLength(2);
    }
  });
});

describe('what is written in another way', () => {
  test('JSON in a text: the place of each character is kept', async () => {
    const text = JSON.stringify({ note: 'a "b"\tc', key: pem(), more: `é\n${KEY}` });
    const findings = await scan(text);
    expect(findings.map(({ rule }) => rule)).toEqual(['private-key', 'agentrelay-key']);
    const [key, token] = findings.map(({ start, end }) => text.slice(start, end));
    expect(key).toMatch(/^-----BEGIN RSA PRIVATE KEY-----\\n.*-----END RSA PRIVATE KEY-----$/);
    expect(token).toBe(KEY);
  });

  test('characters as \\u escapes', async () => {
    const text = `{"key":"${KEY.replace('_', '\\u005f')}"}`;
    const [finding] = await scan(text);
    expect(finding?.rule).toBe('agentrelay-key');
    expect(text.slice(finding?.start, finding?.end)).toBe(KEY.replace('_', '\\u005f'));
  });

  test('JSON in a text: a line of an environment', async () => {
    const text = '{"file":"A=1\\nDB_PASSWORD=hunter22\\nB=2"}';
    expect((await scan(text)).map(({ start, end }) => text.slice(start, end))).toEqual(['hunter22']);
  });

  test('a file in base64', async () => {
    for (const file of [
      `A=1\nDB_PASSWORD=hunter22\nB=2\n`,
      pem(),
      `x${KEY}`.slice(1),
      `grüße\n\u001b[31m${KEY}\u001b[0m`,
    ]) {
      const raw = Buffer.from(file).toString('base64');
      const [finding, ...more] = await scan(raw, 'parts[1].raw');
      expect([file, finding?.where, more]).toEqual([file, 'parts[1].raw', []]);
      const marked = Buffer.from(raw.slice(finding?.start, finding?.end), 'base64').toString('latin1');
      expect(marked).toMatch(/hunter22|PRIVATE KEY|ar_/);
      expect(marked.length).toBeLessThan(file.length + 6);
    }
  });

  test('a file in UTF-16, as Windows writes one', async () => {
    const raw = Buffer.from(`\ufeffA=1\r\nDB_PASSWORD=hunter22\r\n`, 'utf16le').toString('base64');
    const [finding] = await scan(raw);
    expect(finding?.rule).toBe('env-line');
    expect(Buffer.from(raw.slice(finding?.start, finding?.end), 'base64').toString('utf16le')).toContain('hunter22');
  });

  test('base64 in a text, on one line or broken as programs break it', async () => {
    const file = `${'# settings\n'.repeat(12)}DB_PASSWORD=hunter22\n${'# end\n'.repeat(9)}`;
    const whole = Buffer.from(file).toString('base64');
    for (const [width, lineEnd] of [
      [whole.length, '\n'],
      [76, '\n'],
      [64, '\r\n'],
    ] as const) {
      const lines = Array.from({ length: Math.ceil(whole.length / width) }, (_, n) =>
        whole.slice(n * width, (n + 1) * width),
      );
      const text = `$ base64 .env\n${lines.join(lineEnd)}\n$ `;
      const [finding, ...more] = await scan(text);
      expect([width, finding?.rule, more]).toEqual([width, 'env-line', []]);
      const marked = text.slice(finding?.start, finding?.end).replace(/\s/g, '');
      expect(Buffer.from(marked, 'base64').toString()).toContain('nter2');
    }
  });

  test('bytes that are no text are no text', async () => {
    const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from(drawn(600), 'base64')]);
    expect(await scan(png.toString('base64'))).toEqual([]);
  });
});

describe('what a repository is full of is not found', () => {
  test.each([
    [
      'a lockfile',
      `      "integrity": "sha512-${drawn(86)}==",\n      "resolved": "https://registry.npmjs.org/zod/-/zod-4.1.0.tgz",`,
    ],
    ['commits', 'commit 7ce1a5cf0ffef19ad72f00e8c14f9b1e8e8a8e32\nindex 7ce1a5c..0ffef19 100644'],
    ['UUIDs', '018f6b1e-8a3c-7d2e-9b1f-3c4d5e6f7a8b'],
    ['digests', 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    ['a picture', `<img src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUA${drawn(200)}">`],
    ['code about keys', 'const key = createKey(random);\nif (!isKey(key)) throw invalidParams("api_key", "must be");'],
    [
      'a diff',
      '--- a/web/login.ts\n+++ b/web/login.ts\n@@ -1 +1 @@\n-const token = read();\n+const token = await read();',
    ],
    ['a test command', 'npx vitest run test/unit/desk -t "keeps the password"'],
  ])('%s', async (_, text) => {
    expect(await scan(text)).toEqual([]);
  });
});

test('texts that are longer than can be looked through are held for that, whatever is in them', async () => {
  const long = 'x'.repeat(MAX_SCANNED);
  expect(await scan(long)).toEqual([]);
  const findings = await scanEgress(
    [
      { where: 'body', text: 'y' },
      { where: 'artifacts[0].diff', text: long },
      { where: 'reason', text: KEY },
    ],
    context,
  );
  expect(findings).toEqual([
    {
      where: 'artifacts[0].diff',
      rule: 'too-large',
      start: 0,
      end: MAX_SCANNED,
      masked: `…, ${MAX_SCANNED} characters`,
    },
  ]);
});
