import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../main/cli/commands.ts';
import { helpText } from '../../../main/cli/help.ts';
import { namedCommand, parseInvocation } from '../../../main/cli/invocation.ts';
import { UsageError } from '../../../main/start-error.ts';

describe('a command line', () => {
  it('names a command, its operands and its flags', () => {
    const invocation = parseInvocation([
      'handoff',
      'mia',
      '-m',
      'Look',
      '--link',
      'https://a.example',
      '--link=b',
      '--json',
    ]);
    expect(invocation).toMatchObject({ kind: 'command', name: 'handoff', operands: ['mia'] });
    if (invocation.kind !== 'command') return;
    const { flags } = invocation;
    expect(flags.text('message')).toBe('Look');
    expect(flags.texts('link')).toEqual(['https://a.example', 'b']);
    expect(flags.isOn('json')).toBe(true);
    expect(flags.text('intent')).toBeUndefined();
  });

  it('may have common flags before the command', () => {
    const invocation = parseInvocation(['--home', '/data', '--json', 'show', 'x', '--as=mia@acme']);
    expect(invocation).toMatchObject({ kind: 'command', name: 'show', operands: ['x'] });
    if (invocation.kind !== 'command') return;
    expect(invocation.flags.text('home')).toBe('/data');
    expect(invocation.flags.text('as')).toBe('mia@acme');
  });

  it('may name a command of two words, with common flags between them', () => {
    const invocation = parseInvocation(['trust', '--home', '/data', 'set', 'mia', '--read', 'on']);
    expect(invocation).toMatchObject({ kind: 'command', name: 'trust set', operands: ['mia'] });
    if (invocation.kind !== 'command') return;
    expect([invocation.flags.text('home'), invocation.flags.text('read')]).toEqual(['/data', 'on']);
  });

  it('means the list of a group that is named alone', () => {
    expect(parseInvocation(['trust', '--json'])).toMatchObject({ name: 'trust list', operands: [] });
    expect(parseInvocation(['outbox'])).toMatchObject({ name: 'outbox list', operands: [] });
  });

  it('takes what follows -- as it is', () => {
    expect(parseInvocation(['show', '--', '--x'])).toMatchObject({ operands: ['--x'] });
  });

  it.each([
    [[], /command is missing/],
    [['mcp'], /no command "mcp"/],
    [['constructor'], /no command "constructor"/],
    [['--loud', 'inbox'], /'--loud'/],
    [['inbox', '--loud'], /'--loud'/],
    [['inbox', '-m', 'x'], /'-m'/],
    [['handoff', 'mia', '-m'], /'-m, --message <value>' argument missing/],
    [['inbox', '--json=yes'], /'--json' does not take an argument/],
    [['show'], /needs <id>/],
    [['show', 'a', 'b'], /"b"/],
    [['show', ''], /needs <id>.*empty/],
    [['cancel', ' '], /needs <id>.*empty/],
    [['handoff', '', '-m', 'x'], /needs <to>.*empty/],
    [['help', 'mcp'], /no command "mcp"/],
    [['help', 'show', 'more'], /"more"/],
    [['show', 'x', '--version'], /'--version'/],
    [['status', '--home'], /'--home <value>' argument missing/],
    [['trust', 'mia'], /no command "trust mia".*trust takes list, set/],
    [['trust', 'set'], /trust set needs <handle>/],
    [['trust', '--read', 'on', 'set', 'mia'], /no command "trust on"/],
    [['trust', 'set', 'mia', 'priya'], /trust set does not know what to do with "priya"/],
    [['trust', '--loud'], /'--loud'/],
    [['help', 'trust', 'mia'], /no command "trust mia"/],
    [['help', 'trust', 'set', 'more'], /"more"/],
  ])('%j is refused with a reason', (argv, message) => {
    expect(() => parseInvocation(argv)).toThrow(UsageError);
    expect(() => parseInvocation(argv)).toThrow(message);
  });

  it('asks for help with or without a command, whatever else is missing', () => {
    expect(parseInvocation(['--help'])).toEqual({ kind: 'help' });
    expect(parseInvocation(['show', '-h'])).toEqual({ kind: 'help', command: 'show' });
    expect(parseInvocation(['help'])).toEqual({ kind: 'help' });
    expect(parseInvocation(['--json', 'help', 'show'])).toEqual({ kind: 'help', command: 'show' });
    for (const argv of [
      ['trust', 'set', '-h'],
      ['help', 'trust', 'set'],
    ]) {
      expect(parseInvocation(argv)).toEqual({ kind: 'help', command: 'trust set' });
    }
    for (const argv of [
      ['trust', '-h'],
      ['help', 'trust'],
    ]) {
      expect(parseInvocation(argv)).toEqual({ kind: 'help', command: 'trust' });
    }
  });

  it('asks for the version', () => {
    expect(parseInvocation(['--version', '--json'])).toEqual({ kind: 'version' });
  });

  it('is about a command, whatever else is wrong with it', () => {
    expect(namedCommand(['--home', '/data', 'show', '--loud'])).toBe('show');
    expect(namedCommand(['show'])).toBe('show');
    expect(namedCommand(['trust', 'set'])).toBe('trust set');
    expect([namedCommand(['trust', 'mia']), namedCommand(['trust'])]).toEqual(['trust', 'trust']);
    for (const argv of [[], ['mcp'], ['help', 'show'], ['--home', 'show'], ['constructor']]) {
      expect(namedCommand(argv)).toBeUndefined();
    }
  });
});

describe('the help', () => {
  it('lists the commands there are and no other', () => {
    const listed = helpText()
      .match(/^ {2}[a-z][a-z-]+(?: [a-z-]+)?(?=.* {2})/gm)
      ?.map((line) => line.trim());
    expect(listed).toEqual([
      'status',
      'open',
      'register',
      'invite',
      'join',
      'rotate-key',
      'serve',
      'handoff',
      'inbox',
      'show',
      'accept',
      'decline',
      'ask',
      'reply',
      'complete',
      'fail',
      'cancel',
      'outbox list',
      'outbox send',
      'outbox drop',
      'contacts',
      'contact',
      'block',
      'unblock',
      'trust list',
      'trust set',
      'trust forget',
      'trust defaults',
      'trust unknown',
      'trust explain',
      'trust check',
      'trust reset',
      'redeliver',
      'dead-letters',
      'audit',
      'worker',
      'help',
    ]);
  });

  it.each(Object.keys(COMMANDS))('of %s names every flag it takes', (name) => {
    const help = helpText(name);
    expect(help).toContain(`Usage: agentrelay ${name}`);
    for (const flag of [...Object.keys(COMMANDS[name]?.flags ?? {}), 'json', 'home', 'as', 'help']) {
      expect(help).toContain(`--${flag}`);
    }
  });

  it('of a group says which commands there are, and which one it is alone', () => {
    const help = helpText('trust');
    expect(help).toContain('Usage: agentrelay trust COMMAND\n\nWithout a COMMAND it is trust list.');
    for (const usage of ['  trust list ', '  trust set <handle> ', '  trust check <file> '])
      expect(help).toContain(usage);
    expect(help).not.toContain('audit');
  });

  it('has no line that is wider than a terminal', () => {
    for (const name of [undefined, 'trust', 'outbox', ...Object.keys(COMMANDS)]) {
      for (const line of helpText(name).split('\n')) expect(line.length).toBeLessThanOrEqual(120);
    }
  });
});
