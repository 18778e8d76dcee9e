import { describe, expect, test } from 'vitest';
import { scanEgress } from '../../../../main/desk/egress/scan-egress.ts';
import { drawn, hex, jwt, pem } from './secrets.ts';

const HOME = '/home/frank';

/** The rules by which something was found in a text, and what was marked. */
async function found(text: string): Promise<readonly (readonly [rule: string, marked: string])[]> {
  const findings = await scanEgress([{ where: 'body', text }], { homeDirs: [HOME] });
  return findings.map(({ rule, start, end }) => [rule, text.slice(start, end)]);
}

/** Vendor, and a key in its form. */
const KEYS: readonly (readonly [rule: string, key: string])[] = [
  ['agentrelay-key', `ar_${drawn(43)}`],
  ['agentrelay-invite', `ai_${drawn(43)}`],
  ['anthropic', `sk-ant-api03-${drawn(93)}AA`],
  ['anthropic', `sk-ant-oat01-${drawn(80)}`],
  ['anthropic', `sk-ant-admin01-${drawn(80)}`],
  ['openai-like', `sk-${drawn(48)}`],
  ['openai-like', `sk-proj-${drawn(74)}T3BlbkFJ${drawn(74)}`],
  ['openai-like', `sk-or-v1-${hex(64)}`],
  ['google', `AIza${drawn(35)}`],
  ['google-oauth', `GOCSPX-${drawn(28)}`],
  ['google-oauth', `ya29.${drawn(120)}`],
  ['aws-key-id', `AKIA${drawn(16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')}`],
  ['azure', `abc8Q~${drawn(34)}`],
  ['pypi', `pypi-AgEIcHlwaS5vcmc${drawn(60)}`],
  ['rubygems', `rubygems_${hex(48)}`],
  ['crates', `cio${drawn(32)}`],
  ['nuget', `oy2${drawn(43, 'abcdefghijklmnopqrstuvwxyz0123456789')}`],
  ['npm', `npm_${drawn(36)}`],
  ['github', `ghp_${drawn(36)}`],
  ['github', `github_pat_${drawn(82)}`],
  ['github', `ghs_1234_${jwt()}`],
  ['gitlab', `glpat-${drawn(20)}`],
  ['gitlab', `glrt-${drawn(20)}`],
  ['bitbucket', `ATBB${drawn(32)}`],
  ['atlassian', `ATATT3${drawn(180)}`],
  ['slack', `xoxb-123456789012-123456789012-${drawn(24)}`],
  ['slack', `xoxe.xoxp-1-${drawn(60)}`],
  ['discord', `M${drawn(23)}.${drawn(6)}.${drawn(27)}`],
  ['telegram', `123456789:AA${drawn(33)}`],
  ['twilio', `SK${hex(32)}`],
  ['sendgrid', `SG.${drawn(22)}.${drawn(43)}`],
  ['mailgun', `key-${hex(32)}`],
  ['mailchimp', `${hex(32)}-us12`],
  ['sendinblue', `xkeysib-${hex(64)}-${drawn(16)}`],
  ['postman', `PMAK-${hex(24)}-${hex(34)}`],
  ['stripe', `sk_live_${drawn(24)}`],
  ['stripe', `whsec_${drawn(32)}`],
  ['square', `sq0csp-${drawn(43)}`],
  ['digitalocean', `dop_v1_${hex(64)}`],
  ['heroku', `HRKU-${drawn(60)}`],
  ['netlify', `nfp_${drawn(36)}`],
  ['fly', `FlyV1 fm2_${drawn(120)}`],
  ['planetscale', `pscale_tkn_${drawn(43)}`],
  ['supabase', `sbp_${hex(40)}`],
  ['sentry', `sntrys_${drawn(100)}`],
  ['new-relic', `NRAK-${drawn(27, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789')}`],
  ['pulumi', `pul-${hex(40)}`],
  ['terraform', `${drawn(14)}.atlasv1.${drawn(67)}`],
  ['doppler', `dp.pt.${drawn(43)}`],
  ['airtable', `pat${drawn(14)}.${hex(64)}`],
  ['hubspot', `pat-na1-${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`],
  ['mapbox', `sk.eyJ${drawn(60)}.${drawn(22)}`],
  ['huggingface', `hf_${drawn(34, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz')}`],
  ['groq', `gsk_${drawn(52)}`],
  ['replicate', `r8_${drawn(37)}`],
  ['perplexity', `pplx-${drawn(48)}`],
  ['xai', `xai-${drawn(80)}`],
  ['fireworks', `fw_${drawn(24)}`],
  ['hashicorp-vault', `hvs.${drawn(95)}`],
  ['discord-webhook', `https://discord.com/api/webhooks/918273645546372819/${drawn(68)}`],
  ['teams-webhook', `https://acme.webhook.office.com/webhookb2/${hex(36)}@${hex(36)}/IncomingWebhook/${hex(32)}`],
  ['jwt', jwt()],
];

/** Of these Secretlint has a form too, which does not mind what is before it. */
const PRESETS: ReadonlySet<string> = new Set(['openai-like', 'slack']);

describe('a key that is known by its form', () => {
  test.each(KEYS)('%s', async (rule, key) => {
    const texts = [
      key,
      `It is ${key}.`,
      `"${key}",`,
      `+${key}`,
      `-${key}`,
      `?k=${key}&x=1`,
      `(${key})`,
      `the key:${key}\n`,
    ];
    for (const text of texts) {
      const [first, ...more] = await found(text);
      expect([text, first?.[0], more]).toEqual([text, rule, []]);
      expect(key).toContain(first?.[1]);
    }
  });

  test.each(KEYS)('%s, cut short, is none', async (_, key) => {
    expect(await found(key.slice(0, 7))).toEqual([]);
  });

  test.each(KEYS.filter(([rule]) => !PRESETS.has(rule)))('%s, as a part of a longer word, is none', async (_, key) => {
    expect(await found(`a${key}`)).toEqual([]);
  });

  test.each([
    'AKIAIOSFODNN7EXAMPLE',
    `ghp_${'x'.repeat(36)}`,
    `sk-ant-api03-your-key-here-${'0'.repeat(40)}`,
    `AIza${'0'.repeat(35)}`,
    'ar_YOUR_KEY',
  ])('is not what documentation shows: %s', async (text) => {
    expect(await found(text)).toEqual([]);
  });
});

describe('a private key', () => {
  const openssh = pem('OPENSSH PRIVATE', 8);
  test.each([
    ['PKCS#1', pem('RSA PRIVATE')],
    ['PKCS#8', pem('PRIVATE')],
    ['PKCS#8, encrypted', pem('ENCRYPTED PRIVATE')],
    ['elliptic', pem('EC PRIVATE', 3)],
    ['OpenSSH', openssh],
    [
      'PGP',
      `-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\n${drawn(64)}\n=abcd\n-----END PGP PRIVATE KEY BLOCK-----`,
    ],
    [
      'with headers',
      `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,AB\n\n${drawn(64)}\n${drawn(64)}\n-----END RSA PRIVATE KEY-----`,
    ],
    ['with Windows line ends', pem().replaceAll('\n', '\r\n')],
    ['on one line', pem('PRIVATE').replaceAll('\n', ' ')],
    ['age', `AGE-SECRET-KEY-1${drawn(58, 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L')}`],
  ])('%s is found as a whole', async (_, key) => {
    expect(await found(key)).toEqual([['private-key', key]]);
    expect(await found(`see:\n${key}\nthanks`)).toEqual([['private-key', key]]);
  });

  test.each([
    ['added', '+'],
    ['removed', '-'],
    ['around a change', ' '],
    ['quoted', '> '],
    ['quoted twice', '> > '],
  ])('is found in lines that are %s', async (_, margin) => {
    const text = `@@ -1,8 +1,8 @@\n${openssh.replace(/^/gm, margin)}\n`;
    const [first, ...more] = await found(text);
    expect([first?.[0], more]).toEqual(['private-key', []]);
    expect(first?.[1]).toMatch(/^-----BEGIN[^]+-----END OPENSSH PRIVATE KEY-----$/);
  });

  test('is found without its end', async () => {
    const cut = openssh.slice(0, 150);
    expect(await found(cut)).toEqual([['private-key', cut]]);
  });

  test('of PuTTY is found', async () => {
    const ppk = `PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nPublic-Lines: 2\n${drawn(64)}\nPrivate-Lines: 1\n${drawn(48)}\n`;
    expect(await found(ppk)).toEqual([['private-key', drawn(48)]]);
  });

  test('in a JSON Web Key is found', async () => {
    expect(await found(`{"kty":"OKP","crv":"Ed25519","d":"${drawn(43)}","x":"${drawn(43)}"}`)).toEqual([
      ['private-key', drawn(43)],
    ]);
  });

  test.each([
    ['a word about it', 'It starts with -----BEGIN PRIVATE KEY----- and ends with -----END PRIVATE KEY-----.'],
    ['an ellipsis', '-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----'],
    ['a public key', pem('PUBLIC')],
    ['a certificate', pem('PRIVATE').replaceAll('PRIVATE KEY', 'CERTIFICATE')],
    ['a public key of OpenSSH', `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${drawn(43)} frank@acme`],
    ['a public JSON Web Key', `{"kty":"OKP","crv":"Ed25519","x":"${drawn(43)}"}`],
    ['code that looks for one', "const HEAD = /-----BEGIN (RSA )?PRIVATE KEY-----/;\nexport const other = 'x';"],
  ])('is not %s', async (_, text) => {
    expect(await found(text)).toEqual([]);
  });
});

describe('a line of an environment', () => {
  test.each([
    ['a password', 'DB_PASSWORD=hunter2!', 'hunter2!'],
    ['one in quotes', 'DB_PASSWORD="correct horse"', '"correct horse"'],
    ['one that begins with a sign', 'DB_PASSWORD=!Qwerty9', '!Qwerty9'],
    ['an exported token', "export DEPLOY_TOKEN='b0d1-77'", "'b0d1-77'"],
    ['one before a command', 'API_KEY=q7Lm29xz npm test', 'q7Lm29xz'],
    ['one in a Dockerfile', 'ENV SECRET_KEY=q7Lm29xz', 'q7Lm29xz'],
    ['one that was added', '+CLIENT_SECRET=q7Lm29xz', 'q7Lm29xz'],
    ['one that was removed', '-CLIENT_SECRET=q7Lm29xz', 'q7Lm29xz'],
    ['one around a change', ' CLIENT_SECRET=q7Lm29xz', 'q7Lm29xz'],
    ['one with a line number', '12:CLIENT_SECRET=q7Lm29xz', 'q7Lm29xz'],
    ['a value that was drawn, whatever it is called', `SERVICE_X=${drawn(32)}`, drawn(32)],
  ])('%s', async (_, text, marked) => {
    expect(await found(`A=1\n${text}\nB=2\n`)).toEqual([['env-line', marked]]);
  });

  test.each([
    'DB_PASSWORD=',
    'DB_PASSWORD=""',
    'DB_PASSWORD=changeme',
    'DB_PASSWORD=<password>',
    'DB_PASSWORD=your-password-here',
    'DB_PASSWORD=example',
    'DB_PASSWORD=placeholder',
    'DB_PASSWORD=xxxxxxxx',
    'DB_PASSWORD=********',
    'DB_PASSWORD=...',
    'DB_PASSWORD=${DB_PASSWORD}',
    'DB_PASSWORD=$DB_PASSWORD',
    'DB_PASSWORD=$(pass show db)',
    'DB_PASSWORD=%PASSWORD%',
    'DB_PASSWORD={{ vault }}',
    'DB_PASSWORD=!secret',
    'DB_PASSWORD=--',
    'DB_PASSWORD=op://vault/db/password',
    'DB_PASSWORD=process.env.PASSWORD',
    'DB_PASSWORD=os.environ["X"]',
    'API_TOKEN_FILE=/run/secrets/token',
    'SSH_AUTH_SOCK=/tmp/ssh-1/agent.1',
    'TOKEN_URL=https://login.acme.example/token',
    'TOKEN_LIMIT=4096',
    'PRIMARY_KEY=handle_id',
    'NODE_ENV=production',
    'AGENTRELAY_WEBHOOK_ALLOW=127.0.0.1',
    'COMMIT=7ce1a5cf0ffef19ad72f00e8c14f9b1e8e8a8e32',
    'DIGEST=sha512-dQw4w9WgXcQdQw4w9WgXcQdQw4w9WgXcQdQw4w9WgXcQ==',
    'RUN_ID=018f6b1e-8a3c-7d2e-9b1f-3c4d5e6f7a8b',
    'const TOKEN = newToken();',
    'if (KEY==other) return;',
  ])('is not %s', async (text) => {
    expect(await found(text)).toEqual([]);
  });
});

describe('a secret that is given to a name', () => {
  test.each([
    ['in code', 'const apiKey = "q7Lm29xzQ1";', 'q7Lm29xzQ1'],
    ['in JSON', '{"password":"Tr0ub4dor&3"}', 'Tr0ub4dor&3'],
    ['in TOML', 'client_secret = "q7Lm29xzQ1"', 'q7Lm29xzQ1'],
    ['in YAML', 'db:\n  password: q7Lm29xzQ1\n', 'q7Lm29xzQ1'],
    ['in YAML that was added', '+  auth_token: q7Lm29xzQ1', 'q7Lm29xzQ1'],
  ])('%s', async (_, text, marked) => {
    expect(await found(text)).toEqual([['assigned-secret', marked]]);
  });

  test.each([
    'password: z.string().min(8)',
    'password: string;',
    'const token = "token";',
    '{"token":"<your token>"}',
    'apiKey: process.env.API_KEY1',
    "tokenType: 'bearer2000'",
    "password: 'the-password'",
    'key: "ArrowDown12"',
    'token: see section 4.2',
    `integrity: "sha512-${drawn(60)}"`,
  ])('is not %s', async (text) => {
    expect(await found(text)).toEqual([]);
  });
});

describe('a header', () => {
  test.each([
    ['authorization-header', 'Authorization: Bearer q7Lm29xzQ1', 'q7Lm29xzQ1'],
    [
      'authorization-header',
      "curl -H 'authorization: Basic ZnJhbms6aHVudGVyMg==' https://acme.example",
      'ZnJhbms6aHVudGVyMg==',
    ],
    ['authorization-header', '{"Authorization": "Bearer q7Lm29xzQ1"}', 'q7Lm29xzQ1'],
    ['authorization-header', 'headers.set("Authorization", "token q7Lm29xzQ1")', 'q7Lm29xzQ1'],
    ['api-key-header', 'X-Api-Key: q7Lm29xzQ1pp', 'q7Lm29xzQ1pp'],
    ['api-key-header', '"PRIVATE-TOKEN": "q7Lm29xzQ1pp"', 'q7Lm29xzQ1pp'],
    ['cookie-header', 'Cookie: theme=dark; session=q7Lm29xzQ1pp', 'q7Lm29xzQ1pp'],
    ['cookie-header', 'Set-Cookie: sid=q7Lm29xzQ1pp; HttpOnly', 'q7Lm29xzQ1pp'],
    ['curl-user', 'curl -sS -u frank:hunter2 https://acme.example', 'hunter2'],
  ])('%s: %s', async (rule, text, marked) => {
    expect(await found(text)).toEqual([[rule, marked]]);
  });

  test.each([
    'Authorization: Bearer <api key>',
    'Authorization: Bearer $TOKEN',
    'Authorization: `Bearer ${apiKey}`',
    'Authorization: Bearer {{token}}',
    'Send `Authorization: Bearer` and the key.',
    'X-Api-Key: your-api-key-1',
    'Cookie: theme=dark',
    'Set-Cookie: sid=${id}; HttpOnly',
    'curl -u $USER:$PASSWORD https://acme.example',
  ])('is not %s', async (text) => {
    expect(await found(text)).toEqual([]);
  });
});

describe('a connection string', () => {
  test.each([
    ['postgres://frank:hunter2@db.acme.example/app', 'hunter2'],
    ['redis://:hunter2@127.0.0.1:6379', 'hunter2'],
    ['https://frank:q7Lm29@git.acme.example/x.git', 'q7Lm29'],
    ['amqp://svc:q7Lm29@queue', 'q7Lm29'],
    ['Server=db;User Id=sa;Password=q7Lm29!;', 'q7Lm29!'],
  ])('%s', async (text, marked) => {
    expect(await found(text)).toEqual([['connection-string', marked]]);
  });

  test('a key of a storage account', async () => {
    const key = `${drawn(86)}==`;
    expect(await found(`DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=${key}`)).toEqual([
      ['connection-string', key],
    ]);
  });

  test.each([
    'postgres://localhost/app',
    'postgres://user:password@localhost/app',
    'postgres://user:${PASSWORD}@localhost/app',
    'postgres://user:<password>@localhost/app',
    'http://127.0.0.1:7319/a/frank@acme',
    'http://[::1]:7319/a/alice%40acme',
    'git@github.com:acme/web.git',
    'see https://acme.example/docs: mail me @acme.example',
  ])('is not %s', async (text) => {
    expect(await found(text)).toEqual([]);
  });
});

describe('the secret of an AWS key', () => {
  const id = `AKIA${drawn(16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')}`;
  test('is found near to the id, whatever it is called', async () => {
    expect(await found(`${id}\n${drawn(40)}`)).toEqual([
      ['aws-key-id', id],
      ['aws-secret', drawn(40)],
    ]);
    expect(await found(`${drawn(40)}, ${id}`)).toEqual([
      ['aws-secret', drawn(40)],
      ['aws-key-id', id],
    ]);
  });
  test('is nothing by itself, and no commit of git is one', async () => {
    expect(await found(drawn(40))).toEqual([]);
    expect(await found(`${id}\n${hex(40)}`)).toEqual([['aws-key-id', id]]);
  });
});

// put together, as a folder of a machine has no place in this repository
const HOMES = '/home';
const USERS = 'Users';

describe('the path of a home folder', () => {
  test.each([
    ['/home/mia/work/acme/web.ts', '/home/mia/'],
    ['at Object.<anonymous> (/Users/mia.k/src/a.ts:3:1)', '/Users/mia.k/'],
    ['C:\\Users\\Mia\\src\\a.ts', 'C:\\Users\\Mia\\'],
    ['"c:\\\\Users\\\\Mia\\\\src"', 'c:\\\\Users\\\\Mia\\\\'],
    [`C:/${USERS}/Mia/src`, `C:/${USERS}/Mia/`],
    [`/mnt/c/${USERS}/Mia/src`, `/mnt/c/${USERS}/Mia/`],
    [`/c/${USERS}/Mia/src`, `/c/${USERS}/Mia/`],
    ['file:///home/mia/x', '/home/mia/'],
    ['PATH=/usr/bin:/home/mia/bin', '/home/mia/'],
    ['+++ /home/mia/x.ts', '/home/mia/'],
  ])('%s', async (text, marked) => {
    const [first, ...more] = await found(text);
    expect([first?.[0], more]).toEqual(['home-path', []]);
    expect(first?.[1]).toContain(marked);
  });

  test.each([
    `${HOMES}/user/project`,
    `${HOMES}/runner/work/web/web`,
    `/${USERS}/you/src`,
    `/${USERS}/Shared/x`,
    'C:\\Users\\Public\\x',
    'https://acme.example/home/mia/settings',
    'GET /users/mia/',
    '/a/home/mia/',
    '~/work/web',
    '$HOME/work',
    '/home/<name>/work',
    `src${HOMES}/index.ts`,
    '/home',
  ])('is not %s', async (text) => {
    expect(await found(text)).toEqual([]);
  });

  test('of this person is found without anything after it, and behind a flag', async () => {
    expect(await found('cd /home/frank && ls')).toEqual([['home-path', '/home/frank']]);
    expect(await found('-I/home/frank/include')).toEqual([['home-path', '/home/frank']]);
    expect(await found(`${HOMES}/franklin`)).toEqual([]);
  });

  test('of this person is found in each way of writing it', async () => {
    const homeDirs = ['D:\\People\\frank.x', '/srv/people/frank', '/'];
    for (const text of [
      'D:\\People\\frank.x',
      'D:\\\\People\\\\frank.x\\\\a',
      'D:/People/frank.x/a',
      '/srv/people/frank',
    ]) {
      const [first] = await scanEgress([{ where: 'body', text }], { homeDirs });
      expect([text, first?.rule]).toEqual([text, 'home-path']);
    }
    for (const text of ['D:/People/frankxx', '/srv/people/frank2', '/', '/srv']) {
      expect(await scanEgress([{ where: 'body', text }], { homeDirs })).toEqual([]);
    }
  });
});
