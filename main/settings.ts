import { hostname, homedir, userInfo } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parseHandle, safeName } from '../relay/contract/handle.ts';
import { isReservedName } from '../relay/identity/reserved-names.ts';
import { readWebhookAllow } from './networks.ts';
import { UsageError } from './start-error.ts';

/** Where the relay listens unless it is told otherwise. */
export const DEFAULT_PORT = 7319;

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** What the settings are made from. */
export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly homeDir: string;
  readonly hostName: string;
  readonly userName: string;
  /** What a relative `--home` is relative to. */
  readonly cwd: string;
}

/** What stands on the command line of a start. */
export interface StartFlags {
  readonly home?: string;
  readonly port?: string;
  readonly headless: boolean;
  /** Whether nothing is to be started: the person asks what could stand here. */
  readonly help: boolean;
}

/** What a start says to `--help`. */
export const START_HELP = `Usage: npm start -- [options]

Starts AgentRelay and shows its window. Where it runs already, it shows that window.

Options
  --home DIR  The data folder (AGENTRELAY_HOME)
  --port N    The relay's port on loopback; 0 is any free one (AGENTRELAY_PORT, default ${DEFAULT_PORT})
  --headless  Opens neither a window nor a browser
  -h, --help  This text`;

/** How to start (docs/reference/settings.md). */
export interface Settings {
  /** The data folder, absolute. */
  readonly home: string;
  /** Port of the relay on loopback; 0 is any free one. */
  readonly port: number;
  /** Whether nobody asked for `port`: then the next free one serves as well. */
  readonly portIsDefault: boolean;
  /** For the first start: the part of handles after `@`. */
  readonly relayName: string;
  /** For the first start: the account on the own relay, `name` or `name@relay`. */
  readonly handle: string;
  readonly logLevel: string;
  /** Webhooks that may be called although they are not on the public internet: host names, addresses, ranges. */
  readonly webhookAllow: readonly string[];
  /** Never open a window or a browser. */
  readonly headless: boolean;
}

/** This machine and this user. */
export function thisMachine(): Machine {
  return {
    env: process.env,
    platform: process.platform,
    homeDir: homedir(),
    hostName: hostname(),
    userName: userName(),
    cwd: process.cwd(),
  };
}

/** A container may run under a user id that has no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return '';
  }
}

/** Reads `--home DIR --port N --headless --help`. Anything else is a UsageError. */
export function parseStartFlags(argv: readonly string[]): StartFlags {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        home: { type: 'string' },
        port: { type: 'string' },
        headless: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    return values;
  } catch (error) {
    throw new UsageError(
      `${error instanceof Error ? error.message : String(error)}. A start takes --home DIR, --port N and --headless.`,
      { cause: error },
    );
  }
}

/** Flags over environment over defaults; an empty value is none. Fails with a UsageError. */
export function readSettings(flags: Omit<StartFlags, 'help'>, machine: Machine): Settings {
  const { env } = machine;
  const port = flags.port ?? (env['AGENTRELAY_PORT'] || undefined);
  const relayName = env['AGENTRELAY_NAME'] || machine.hostName;
  const handle = env['AGENTRELAY_HANDLE'] || defaultHandle(machine.userName);
  if (parseHandle(handle) === undefined) {
    throw new UsageError(
      `AGENTRELAY_HANDLE=${handle} is no handle. Use lower-case letters, digits, dot, dash, underscore.`,
    );
  }
  return {
    home: dataFolder(flags.home, machine),
    port: port === undefined ? DEFAULT_PORT : parsePort(port),
    portIsDefault: port === undefined,
    relayName: safeName(relayName, 'relay'),
    handle,
    logLevel: readLogLevel(machine),
    webhookAllow: readWebhookAllow(
      (env['AGENTRELAY_WEBHOOK_ALLOW'] ?? '').split(/[\s,]+/).filter((entry) => entry !== ''),
      'AGENTRELAY_WEBHOOK_ALLOW',
    ),
    headless: flags.headless,
  };
}

/**
 * The data folder: `--home`, else AGENTRELAY_HOME, else the system's place for application data.
 * @param flag what `--home` says
 */
export function dataFolder(flag: string | undefined, machine: Machine): string {
  const asked = flag || machine.env['AGENTRELAY_HOME'];
  return asked ? resolve(machine.cwd, asked) : defaultDataFolder(machine);
}

/** Where it is when nobody says otherwise. */
export function defaultDataFolder({ platform, env, homeDir }: Machine): string {
  if (platform === 'darwin') return join(homeDir, 'Library', 'Application Support', 'AgentRelay');
  if (platform === 'win32') return join(env['LOCALAPPDATA'] || join(homeDir, 'AppData', 'Local'), 'AgentRelay');
  // a relative XDG path is to be ignored (XDG Base Directory Specification)
  const data = env['XDG_DATA_HOME'];
  return join(data && isAbsolute(data) ? data : join(homeDir, '.local', 'share'), 'agentrelay');
}

/** The user's name, made a name that the relay does not keep for itself (`admin`, say). */
function defaultHandle(user: string): string {
  const name = safeName(user, 'user');
  return isReservedName(name) ? safeName(`${name}-user`, 'user') : name;
}

/** AGENTRELAY_LOG, or `info`. Fails with a UsageError. */
export function readLogLevel({ env }: Machine): string {
  const logLevel = env['AGENTRELAY_LOG'] || 'info';
  if (LOG_LEVELS.some((level) => level === logLevel)) return logLevel;
  throw new UsageError(`AGENTRELAY_LOG=${logLevel} is no log level. Use one of ${LOG_LEVELS.join(', ')}.`);
}

/** A port as it was given. Fails with a UsageError. */
export function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65535)) throw new UsageError(`"${text}" is no port. Use a number from 0 (any free port) to 65535.`);
  return port;
}
