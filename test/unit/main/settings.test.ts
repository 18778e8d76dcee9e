import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  dataFolder,
  DEFAULT_PORT,
  parseStartFlags,
  readSettings,
  START_HELP,
  type Machine,
} from '../../../main/settings.ts';
import { UsageError } from '../../../main/start-error.ts';

const machine: Machine = {
  env: {},
  platform: 'linux',
  homeDir: '/home/frank',
  hostName: 'Acme Box',
  userName: 'Frank',
  cwd: '/work',
};
const withEnv = (env: Machine['env']): Machine => ({ ...machine, env });
const none = { headless: false, help: false };

describe('a start without settings', () => {
  it('uses the default port, the host name and the user name', () => {
    expect(readSettings(none, machine)).toEqual({
      home: '/home/frank/.local/share/agentrelay',
      port: DEFAULT_PORT,
      portIsDefault: true,
      relayName: 'acme-box',
      handle: 'frank',
      logLevel: 'info',
      webhookAllow: [],
      headless: false,
    });
  });

  it('takes another name where the relay keeps the user name for itself', () => {
    expect(readSettings(none, { ...machine, userName: 'admin' }).handle).toBe('admin-user');
  });

  it('has a name for a user and a host without one', () => {
    expect(readSettings(none, { ...machine, userName: '', hostName: '___' })).toMatchObject({
      handle: 'user',
      relayName: 'relay',
    });
  });
});

describe('the data folder', () => {
  it('is where each system keeps application data', () => {
    expect(dataFolder(undefined, { ...machine, platform: 'darwin' })).toBe(
      join('/home/frank', 'Library', 'Application Support', 'AgentRelay'),
    );
    expect(dataFolder(undefined, { ...machine, platform: 'win32', env: { LOCALAPPDATA: '/l' } })).toBe(
      join('/l', 'AgentRelay'),
    );
    expect(dataFolder(undefined, withEnv({ XDG_DATA_HOME: '/xdg' }))).toBe('/xdg/agentrelay');
  });

  it('ignores a relative XDG path, as its specification says', () => {
    expect(dataFolder(undefined, withEnv({ XDG_DATA_HOME: 'xdg' }))).toBe('/home/frank/.local/share/agentrelay');
  });

  it('is what --home says, over AGENTRELAY_HOME', () => {
    expect(dataFolder('/flag', withEnv({ AGENTRELAY_HOME: '/env' }))).toBe('/flag');
    expect(dataFolder(undefined, withEnv({ AGENTRELAY_HOME: '/env' }))).toBe('/env');
  });

  it('may be given relative to where one stands', () => {
    expect(dataFolder('data', machine)).toBe(resolve('/work', 'data'));
  });
});

describe('the port', () => {
  it('is what --port says, over AGENTRELAY_PORT, and then no default', () => {
    const env = { AGENTRELAY_PORT: '8000' };
    expect(readSettings(none, withEnv(env))).toMatchObject({ port: 8000, portIsDefault: false });
    expect(readSettings({ headless: false, port: '0' }, withEnv(env))).toMatchObject({ port: 0, portIsDefault: false });
  });

  it('counts as asked for even when it is the default one', () => {
    expect(readSettings({ headless: false, port: String(DEFAULT_PORT) }, machine).portIsDefault).toBe(false);
  });

  it.each(['-1', '65536', 'http', '7319x', '1e3', '0x10', ''])('is not %j', (port) => {
    expect(() => readSettings({ headless: false, port }, machine)).toThrow(UsageError);
  });
});

describe('the environment', () => {
  it('names relay, account and log level', () => {
    const env = { AGENTRELAY_NAME: 'Acme', AGENTRELAY_HANDLE: 'alice@acme', AGENTRELAY_LOG: 'debug' };
    expect(readSettings(none, withEnv(env))).toMatchObject({
      relayName: 'acme',
      handle: 'alice@acme',
      logLevel: 'debug',
    });
  });

  it('allows webhooks that are not public, by a list', () => {
    const allowed = (list: string) => readSettings(none, withEnv({ AGENTRELAY_WEBHOOK_ALLOW: list })).webhookAllow;
    expect(allowed('127.0.0.1, hooks.internal 10.0.0.0/8,')).toEqual(['127.0.0.1', 'hooks.internal', '10.0.0.0/8']);
    expect(allowed('')).toEqual([]);
    expect(() => allowed('hooks.internal,http://other')).toThrow(/^AGENTRELAY_WEBHOOK_ALLOW is .* Write "other"\.$/);
  });

  it('counts as absent where it is empty', () => {
    const env = {
      AGENTRELAY_PORT: '',
      AGENTRELAY_NAME: '',
      AGENTRELAY_HANDLE: '',
      AGENTRELAY_LOG: '',
      AGENTRELAY_HOME: '',
    };
    expect(readSettings(none, withEnv(env))).toEqual(readSettings(none, machine));
  });

  it.each([
    ['AGENTRELAY_HANDLE', 'not a handle'],
    ['AGENTRELAY_LOG', 'loud'],
  ])('%s=%s is refused by name', (name, value) => {
    expect(() => readSettings(none, withEnv({ [name]: value }))).toThrow(`${name}=${value}`);
  });
});

describe('the command line of a start', () => {
  it('may ask what could stand there, and is told all of it', () => {
    for (const flag of ['--help', '-h']) expect(parseStartFlags([flag]).help).toBe(true);
    for (const flag of ['--home DIR', '--port N', '--headless', '--help']) expect(START_HELP).toContain(flag);
  });

  it('has a data folder, a port and --headless', () => {
    expect(parseStartFlags(['--headless', '--port', '0', '--home=/x'])).toEqual({
      headless: true,
      help: false,
      port: '0',
      home: '/x',
    });
  });

  it.each([[['--loud']], [['--port']], [['now']], [['--headless=yes']]])(
    'refuses %j and says what there is',
    (argv) => {
      expect(() => parseStartFlags(argv)).toThrow(/--home DIR, --port N and --headless/);
      expect(() => parseStartFlags(argv)).toThrow(UsageError);
    },
  );
});
