import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NEW_TRUST } from '../../../main/desk/trust/edit-trust.ts';
import type { Decision, TrustView } from '../../../relay/contract/trust.ts';
import { A2aClient, message } from '../../support/a2a-client.ts';
import { runOn, type CommandSurroundings } from '../../support/command-line.ts';
import { HOSTILE_STRINGS } from '../../support/hostile-corpus.ts';
import { rawDangers } from '../../support/raw-dangers.ts';
import { runApp } from '../../support/running-app.ts';
import { tempDir } from '../../support/temp-dir.ts';

/** Frank's app, and what his command line says. */
async function franks(rules?: string) {
  const home = tempDir();
  const app = await runApp(home);
  const file = join(home, 'trust.yaml');
  if (rules !== undefined) writeFileSync(file, rules);
  const trust = (...args: string[]) => runOn(home, ['trust', ...args]);
  return {
    app,
    home,
    file,
    trust,
    /** What a command that does what it should says to people. */
    async says(...args: string[]): Promise<string> {
      const { code, stdout, stderr } = await trust(...args);
      expect([args, code, stderr]).toEqual([args, 0, '']);
      return stdout;
    },
    view: async () => JSON.parse((await trust('--json')).stdout) as TrustView,
    text: () => readFileSync(file, 'utf8'),
  };
}

const RULES = `version: 1 # ours
defaults:
  auto_read: true
teammates:
  mia@acme:
    auto_write_paths: [docs/, README.md]
    live: auto
  # the contractor's
  ext-bot@vendor:
    later: 1 # of another version
unknown_teammates: {policy: reject}
blocked:
  - eve@acme
`;

describe('agentrelay trust list', () => {
  it('says who may what, by which line, and what means nothing', async () => {
    const { says, view, file } = await franks(RULES);
    const said = await says('list');
    expect(said.split('\n').map((line) => line.trimEnd())).toEqual([
      file,
      `${file}:10: "later" means nothing here, and changes nothing.`,
      '',
      '                read  test  write             approve            live  line',
      'defaults        on    off   none              Edit, Write, Bash  ask',
      'mia@acme        on    off   docs/, README.md  Edit, Write, Bash  auto  5',
      'ext-bot@vendor  on    off   none              Edit, Write, Bash  ask   9',
      '',
      'Everybody else: what they hand over is declined (line 11)',
      'Blocked: eve@acme (line 13)',
      '',
    ]);
    expect(await view()).toMatchObject({
      path: file,
      usable: true,
      findings: [{ line: 10 }],
      teammates: [{ handle: 'mia@acme', rule: { line: 5 } }, { handle: 'ext-bot@vendor' }],
      blocked: [{ handle: 'eve@acme', rule: { line: 13, path: 'blocked[0]' } }],
    });
  });

  it('is what the group without a command is', async () => {
    const { says } = await franks();
    expect(await says()).toBe(await says('list'));
  });
});

describe('agentrelay trust set', () => {
  it('lists a teammate, and changes and takes back what is said of them, line by line', async () => {
    const { says, text, view } = await franks(RULES);
    expect(await says('set', 'priya')).toContain('What priya@acme hands over is delivered: they are a teammate.');
    await says('set', 'Mia@ACME', '--read', 'off', '--test', 'on', '--write', 'none', '--live', 'default');
    await says('set', 'mia', '--approve', 'Bash', '--approve', 'Edit');
    expect(text()).toBe(
      RULES.replace('[docs/, README.md]', '[]')
        .replace('    live: auto\n', '    auto_read: false\n    auto_test: true\n    require_approval: [Bash, Edit]\n')
        .replace('of another version\n', 'of another version\n  priya@acme: {}\n'),
    );
    const mia = (await view()).teammates.find(({ handle }) => handle === 'mia@acme');
    expect(mia?.grants).toEqual({
      auto_read: false,
      auto_test: true,
      auto_write_paths: [],
      require_approval: ['Bash', 'Edit'],
      live: 'ask',
    });
    await says('set', 'mia', '--read', 'default', '--write', 'default', '--approve', 'default', '--test', 'default');
    expect((await view()).teammates.find(({ handle }) => handle === 'mia@acme')?.said).toEqual({});
  });

  it('counts at once: a list of paths, what is approved, how a pairing begins', async () => {
    const { says } = await franks();
    const said = await says(
      'set',
      'mia',
      '--write',
      'docs/',
      '--write',
      'a b.md',
      '--approve',
      'none',
      '--live',
      'auto',
    );
    expect(said).toMatch(/\n {2}write +docs\/, a b\.md\n {2}approve +none\n {2}live +auto\n$/);
  });

  it('means a handle without a relay on that of the account that acts', async () => {
    const { says, trust } = await franks();
    expect(await says('set', 'mia', '--as', 'frank@vendor')).toContain('mia@vendor');
    expect((await trust('explain', 'mia', '--as', 'frank@vendor')).stderr).toContain('is no account of this desk');
  });

  it('lets what somebody had to wait with come through', async () => {
    const { app, home, says } = await franks();
    const { api_key: apiKey } = await app.desk.call('registerAgent', { handle: 'mia' }, 'human');
    expect(await says('forget', 'mia')).toContain('is held until you decide: they are not listed.');
    const mia = new A2aClient({ url: app.relayUrl, apiKey });
    await mia.call('SendMessage', { ...message('x'), configuration: { returnImmediately: true } }, { at: '/a/frank' });
    const group = async (): Promise<unknown> =>
      (JSON.parse((await runOn(home, ['inbox', '--json'])).stdout) as { items: [{ group: string }] }).items[0].group;
    const { stdout } = await runOn(home, ['inbox']);
    expect(stdout).toMatch(/ held +from mia@acme /);
    const [, id = ''] = /([0-9a-f]{8}-[0-9a-f]{4})/.exec(stdout) ?? [];
    expect((await runOn(home, ['show', id])).stdout).toMatch(/\nHeld +by your rules/);
    expect(await group()).toBe('held');
    await says('set', 'mia');
    expect(await group()).toBe('needs_you');
    expect((await runOn(home, ['inbox'])).stdout).toMatch(/ pending +from mia@acme /);
    expect((await runOn(home, ['show', id])).stdout).not.toContain('Held');
  });
});

describe('agentrelay trust forget, defaults and unknown', () => {
  it('change what they are about, and nothing else', async () => {
    const { says, text } = await franks(RULES);
    await says('forget', 'ext-bot@vendor');
    expect(await says('defaults', '--read', 'default', '--test', 'on')).toMatch(/\ndefaults +off +on /);
    expect(await says('unknown', 'allow_with_default_trust')).toContain('taken as teammates with the defaults');
    expect(text()).toBe(
      RULES.replace('  auto_read: true\n', '  auto_test: true\n')
        .replace("  # the contractor's\n  ext-bot@vendor:\n    later: 1 # of another version\n", '')
        .replace('policy: reject', 'policy: allow_with_default_trust'),
    );
  });
});

describe('agentrelay trust explain', () => {
  const explained = async (rules: string, handle: string) => {
    const { trust, file } = await franks(rules);
    const decision = JSON.parse((await trust('explain', handle, '--json')).stdout) as Decision;
    const { stdout } = await trust('explain', handle);
    return { decision, stdout: stdout.replaceAll(file, 'trust.yaml') };
  };

  it('names the decision, its line and rule, and what it grants', async () => {
    const { decision, stdout } = await explained(RULES, 'mia');
    expect(stdout).toBe(
      `What mia@acme hands over is delivered: they are a teammate.
trust.yaml:5 (teammates.mia@acme)

What their words may lead to
  read     on
  test     off
  write    docs/, README.md
  approve  Edit, Write, Bash
  live     auto
`,
    );
    expect(decision).toMatchObject({
      handle: 'mia@acme',
      action: 'deliver',
      layer: 'listed',
      rule: { path: 'teammates.mia@acme', line: 5 },
      grants: { auto_read: true, live: 'auto' },
    });
  });

  it.each([
    [RULES, 'eve', 'is declined: they are blocked.\ntrust.yaml:13 (blocked[0])'],
    [RULES, 'ext-bot', 'is declined: they are not listed.\ntrust.yaml:11 (unknown_teammates.policy)'],
    ['version: 1\n', 'eve', 'is held until you decide: they are not listed.\ntrust.yaml:1 (unknown'],
    [
      'version: 1\nunknown_teammates:\n  policy: allow_with_default_trust\n',
      'eve',
      'is delivered: they are not listed, and the unknown are let in.\ntrust.yaml:3 (unknown',
    ],
    ['version: 1\nblocked: eve\n', 'mia', 'is held until you decide: the file has an error'],
  ])('says why of every layer: %#', async (rules, handle, words) => {
    expect((await explained(rules, handle)).stdout).toContain(words);
  });
});

describe('agentrelay trust reset', () => {
  it('begins the file anew, and keeps the former one', async () => {
    const { trust, text, home } = await franks('version: 3\n');
    const { code, stdout } = await trust('reset', '--json');
    const { backup, usable } = JSON.parse(stdout) as { backup: string; usable: boolean };
    expect([code, usable, text()]).toEqual([0, true, NEW_TRUST]);
    expect(backup.startsWith(join(home, 'backups'))).toBe(true);
    expect(readFileSync(backup, 'utf8')).toBe('version: 3\n');
  });
});

describe('agentrelay trust check', () => {
  const check = (file: string, more: CommandSurroundings = {}, ...args: string[]) =>
    runOn('', ['trust', 'check', file, ...args], more);

  it('reads a file, or stdin, where no app runs', async () => {
    const file = join(tempDir(), 'rules.yaml');
    writeFileSync(file, 'version: 1\n');
    expect(await check(file)).toEqual({ code: 0, stdout: 'It can be used.\n', stderr: '' });
    expect(await check('-', { input: 'version: 1\nblocked: eve\nx: 1\n' })).toEqual({
      code: 1,
      stdout:
        'stdin:2: "blocked" is a list of handles.\nIt cannot be used: as trust.yaml it would have everything held.\n',
      stderr: '',
    });
  });

  it('warns of what means nothing, which is no error', async () => {
    const { code, stdout } = await check('-', { input: 'version: 1\nblokced: [eve@acme]\n' });
    expect([code, stdout]).toEqual([
      0,
      'stdin:2: "blokced" means nothing here, and changes nothing.\nIt can be used.\n',
    ]);
  });

  it('is a value for programs', async () => {
    const { code, stdout } = await check('-', { input: 'version: 9\n' }, '--json');
    expect([code, JSON.parse(stdout)]).toEqual([
      1,
      { usable: false, findings: [{ line: 1, message: expect.stringContaining('version 1') }] },
    ]);
  });

  it.each([
    ['/nowhere/none.yaml', {}, 'there is no such file'],
    ['-', { input: Buffer.from([0xff, 0xfe, 0x00]) }, 'not text in UTF-8'],
  ])('says of what it cannot read why: %s', async (file, more, why) => {
    const { code, stderr } = await check(file, more);
    expect([code, stderr]).toEqual([1, expect.stringContaining(why)]);
  });
});

describe('agentrelay trust', () => {
  it('shows what stands in a file, or was typed, for what it is', async () => {
    const { home } = await franks();
    for (const text of HOSTILE_STRINGS) {
      const input = `version: 1\n${JSON.stringify(text)}: 1\n`;
      for (const args of [['check', '-'], ['explain', text], ['unknown', text], [text]]) {
        for (const form of [[], ['--json']]) {
          const { stdout, stderr } = await runOn(home, ['trust', ...form, '--', ...args], { input });
          expect({ args, dangers: rawDangers(stdout + stderr) }).toEqual({ args, dangers: [] });
        }
      }
    }
  });

  it.each([
    [['trust', 'allow', 'mia'], 'trust takes list, set, forget, defaults, unknown, explain, check, reset'],
    [['trust', 'set'], 'trust set needs <handle>'],
    [['trust', 'set', 'mia', '--read', 'yes'], '--read is one of on, off, default, not "yes"'],
    [['trust', 'set', 'mia', '--live', 'always'], '--live is one of auto, ask, never, default'],
    [['trust', 'set', 'mia', '--write', 'none', '--write', 'docs/'], '--write none stands alone'],
    [['trust', 'defaults'], 'trust defaults needs a flag'],
    [['trust', 'unknown', 'allow'], 'trust unknown takes reject, hold, allow_with_default_trust, not "allow"'],
    [['trust', 'explain'], 'trust explain needs <handle>'],
    [['trust', 'check'], 'trust check needs <file>'],
  ])('refuses %j before it looks for the app', async (args, why) => {
    const { code, stderr } = await runOn(tempDir(), args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
    expect(stderr).toMatch(/See agentrelay trust( \w+)? --help\./);
  });

  it.each([
    [['trust', 'set', 'm\u0456a'], 'A handle is name or name@relay'],
    [['trust', 'explain', 'a@b@c'], 'A handle is name or name@relay'],
    [['trust', 'set', 'mia', '--write', ''], '--write is empty.'],
    [['trust', 'set', 'mia', '--approve', 'x'.repeat(200)], '--approve has more than 128 characters.'],
  ])('refuses %j, and the file stays', async (args, why) => {
    const { home, text } = await franks();
    const { code, stderr } = await runOn(home, args);
    expect([code, stderr]).toEqual([1, expect.stringContaining(why)]);
    expect(text()).toBe(NEW_TRUST);
  });
});
