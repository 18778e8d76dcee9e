import { randomBytes, randomUUID } from 'node:crypto';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { DeskApi } from '../relay/contract/desk-api.ts';
import { createRelay } from '../relay/server.ts';
import { ownAccount, ownCredentials } from './account.ts';
import { Cleanup } from './cleanup.ts';
import type { CommandLine } from './command-line.ts';
import { openConfig, type Config } from './config.ts';
import { createAudit } from './desk/audit/audit.ts';
import { createDesk } from './desk/desk.ts';
import { hasNoRulesYet } from './desk/trust/rules.ts';
import { createTrustFile, openTrustFile } from './desk/trust/trust-file.ts';
import { writeTrustSchema } from './desk/trust/trust-schema.ts';
import { openDeskDb } from './desk/store/desk-db.ts';
import { isOwnFolder, openDataFolder, privateFolder } from './files.ts';
import { claimDataFolder, type Ownership } from './instance.ts';
import { listenOnPort } from './listen.ts';
import { openLogFile } from './log-file.ts';
import { socketPlace } from './mcp/socket-path.ts';
import { startSocketServer } from './mcp/socket-server.ts';
import { registerAgent } from './register-agent.ts';
import { fileSecretStore } from './secrets.ts';
import { newToken } from './tokens.ts';
import { version } from './version.ts';

/** What both shells start: the relay, the desk and the local socket, in a data folder that nobody else owns. */

export interface AppOptions {
  /** The data folder. */
  readonly home: string;
  /** Port of the relay on loopback; 0 is any free one. */
  readonly port: number;
  /** Whether `port` was asked for (then a taken one is an error) or is the default (then the next free one serves). */
  readonly portIsDefault: boolean;
  /** Name for the relay, and for the first account, at the first start. */
  readonly relayName: string;
  readonly handle: string;
  readonly logLevel: string;
  /** Webhooks that may be called although they are not on the public internet. */
  readonly webhookAllow: readonly string[];
  readonly shell: 'browser' | 'electron';
  readonly commandLine: CommandLine;
  /** How the window is shown; answers with an address that opens it once, or `Electron`. */
  readonly openWindow: () => Promise<string>;
  /** Where the window is for those who were let in before; left out, `Electron`. */
  readonly windowUrl?: () => string;
  /** Gives up waiting for another process that starts or ends on the same data folder. */
  readonly signal?: AbortSignal;
}

export interface RunningApp {
  readonly desk: DeskApi;
  readonly config: Config;
  readonly logger: Logger;
  /** `http://127.0.0.1:7319` */
  readonly relayUrl: string;
  readonly socketPath: string;
  /** Things worth a line on stderr at start: another port was taken, say. */
  readonly notices: readonly string[];
  /** Leaves no process, no socket and no lock. Idempotent. */
  close(): Promise<void>;
}

export type StartResult =
  | { readonly kind: 'started'; readonly app: RunningApp }
  /** Another process owns the data folder; it was asked to show its window. */
  | { readonly kind: 'already_running'; readonly window: string };

/**
 * Starts everything, or, where another process owns the data folder already, has that one show its window. Fails with a
 * StartError (or the relay's RelayError) that says what to do; then nothing is left running.
 */
export async function startApp(options: AppOptions): Promise<StartResult> {
  const home = await openDataFolder(options.home);
  const claim = await claimDataFolder(home, options.signal);
  if (claim.kind === 'shown') return { kind: 'already_running', window: claim.window };
  const cleanup = new Cleanup();
  cleanup.add(() => claim.ownership.release());
  try {
    return { kind: 'started', app: await startOwned(home, options, claim.ownership, cleanup) };
  } catch (error) {
    await cleanup.run();
    throw error;
  }
}

/** Each part that is up is noted in `cleanup`, which takes them down in the opposite order. */
async function startOwned(
  home: string,
  options: AppOptions,
  ownership: Ownership,
  cleanup: Cleanup,
): Promise<RunningApp> {
  const { shell, commandLine, openWindow, windowUrl = () => 'Electron' } = options;
  const logs = join(home, 'logs');
  await privateFolder(logs);
  const log = openLogFile(logs, options.logLevel);
  cleanup.add(() => log.close());
  const { logger } = log;

  const { relayName: name, webhookAllow } = options;
  const relay = await createRelay({ dataDir: home, name, version, webhookAllow, logger });
  cleanup.add(() => relay.close());
  const { url, notice } = await listenOnPort((port) => relay.listen({ host: '127.0.0.1', port }), options);
  const config = await openConfig(join(home, 'config.json'), randomUUID);
  const secrets = fileSecretStore(join(home, 'secrets.json'));
  const deskDb = openDeskDb(home, Date.now);
  cleanup.add(() => deskDb.close());
  const audit = await createAudit({
    db: deskDb.db,
    secrets,
    headPath: join(home, 'audit-head'),
    homeFolder: homedir(),
    random: randomBytes,
    clock: Date.now,
    logger,
  });
  audit.note({ action: 'app_started', actor: 'desk', detail: { version, shell } });
  cleanup.add(() => {
    audit.note({ action: 'app_stopped', actor: 'desk' });
    audit.flush();
  });
  const isNewAccount = config.account?.relayId !== relay.id;
  const made = await ownAccount({ relay, config, secrets, handle: options.handle, random: randomBytes });
  const account = await ownCredentials(made, { url, name: relay.name, id: relay.id }, deskDb.db, secrets);
  const trustPath = join(home, 'trust.yaml');
  if (hasNoRulesYet(audit, account.handle)) await createTrustFile(trustPath);
  // an editor does without it, and so can we
  await writeTrustSchema(home).catch((error: unknown) => logger.warn({ err: error }, 'no schema for trust.yaml'));
  const trust = openTrustFile(trustPath);
  cleanup.add(() => trust.close());
  if (isNewAccount) {
    const detail = { relay: relay.name, relay_id: relay.id };
    audit.note({ action: 'account_joined', actor: 'desk', account: account.handle, detail });
  }

  const runtimeDir = process.env['XDG_RUNTIME_DIR'];
  const place = socketPlace(home, {
    platform: process.platform,
    runtimeDir: runtimeDir && (await isOwnFolder(runtimeDir)) ? runtimeDir : undefined,
    tmpDir: tmpdir(),
    uid: process.getuid?.(),
  });
  if (place.folder !== undefined) await privateFolder(place.folder);
  const instance = {
    pid: process.pid,
    version,
    shell,
    relay: { url, name: relay.name, id: relay.id },
    socket: place.path,
  };
  const desk = await createDesk({
    version,
    shell,
    commandLine,
    deskId: config.deskId,
    account,
    db: deskDb.db,
    secrets,
    trust,
    backups: join(home, 'backups'),
    homeDirs: [homedir()],
    registerAgent: (input) => registerAgent(relay, input, account.handle),
    openWindow,
    status: () => ({ relay: instance.relay, window: { url: windowUrl() }, mcp: { socket: place.path } }),
    audit,
    logger,
  });
  cleanup.add(() => desk.close());

  const token = newToken(randomBytes);
  const socket = await startSocketServer({ path: place.path, token, desk, version, logger });
  cleanup.add(() => socket.close());
  await ownership.publish(instance, token);
  logger.info({ version, shell, relay: url }, 'started');

  return {
    desk,
    config,
    logger,
    relayUrl: url,
    socketPath: place.path,
    notices: notice === undefined ? [] : [notice],
    close: () => cleanup.run(),
  };
}
