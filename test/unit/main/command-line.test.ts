import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { commandLine, type CommandLineOptions } from '../../../main/command-line.ts';
import { because } from '../../support/skip.ts';

const HOME = '/home/frank/.local/share/agentrelay';
const line = (over: Partial<CommandLineOptions> = {}): ReturnType<typeof commandLine> =>
  commandLine({ root: '/srv/agentrelay', packaged: false, home: HOME, defaultHome: HOME, platform: 'linux', ...over });

describe('how the app is called from a terminal', () => {
  it('is by the full path of what is in a checkout', () => {
    expect(line()).toEqual({
      command: '/srv/agentrelay/bin/agentrelay',
      start: 'npm --prefix /srv/agentrelay start',
    });
  });

  it('names the data folder where that is not the usual one', () => {
    expect(line({ home: '/tmp/second' })).toEqual({
      command: '/srv/agentrelay/bin/agentrelay --home /tmp/second',
      start: 'npm --prefix /srv/agentrelay start -- --home /tmp/second',
    });
  });

  it('is by name where it is installed, and then it is no npm that starts it', () => {
    expect(line({ packaged: true })).toEqual({ command: 'agentrelay' });
    expect(line({ packaged: true, home: '/tmp/second' })).toEqual({ command: 'agentrelay --home /tmp/second' });
  });

  it.skipIf(process.platform === 'win32')(
    'comes through a shell as it is',
    because('Windows has no POSIX shell'),
    () => {
      for (const odd of ["/tmp/it's here", '/tmp/$HOME `id`', '/tmp/a b', '/tmp/~', '/tmp/"x"', '/tmp/*']) {
        const { command, start = '' } = line({ root: odd, home: odd });
        const words = (text: string): string[] =>
          execFileSync('/bin/sh', ['-c', `printf '%s\\n' ${text}`], { encoding: 'utf8' })
            .trimEnd()
            .split('\n');
        expect(words(command)).toEqual([`${odd}/bin/agentrelay`, '--home', odd]);
        expect(words(start)).toEqual(['npm', '--prefix', odd, 'start', '--', '--home', odd]);
      }
    },
  );

  it('needs no POSIX shell on Windows', () => {
    const on = { platform: 'win32', root: 'C:\\Program Files\\AgentRelay', home: 'D:\\data' } as const;
    expect(line(on)).toEqual({
      command: 'node "C:\\Program Files\\AgentRelay\\out\\main\\cli.js" --home D:\\data',
      start: 'npm --prefix "C:\\Program Files\\AgentRelay" start -- --home D:\\data',
    });
  });
});
