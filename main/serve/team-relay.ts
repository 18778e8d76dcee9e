import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import type { Edge } from '../../relay/http/deps.ts';
import { createRelay } from '../../relay/server.ts';
import { Cleanup } from '../cleanup.ts';
import { openDataFolder, privateFolder } from '../files.ts';
import { claimDataFolder } from '../instance.ts';
import { listenOnPort } from '../listen.ts';
import { openLogFile } from '../log-file.ts';
import { StartError, systemCode, unusable } from '../start-error.ts';
import { version } from '../version.ts';
import { adminTokenIn } from './admin-token-file.ts';
import type { ServeSettings } from './serve-settings.ts';

/** How long a start waits for the one before it to end: longer than that one takes. */
const PATIENCE_MS = 3_000;

/** A relay that runs alone: no desk, no window, no socket. */
export interface TeamRelay {
  readonly id: string;
  readonly name: string;
  /** Where others reach it. */
  readonly url: string;
  /** The file with the admin token, and whether this start made it. */
  readonly admin: { readonly file: string; readonly isNew: boolean };
  /** Ends streams, answers what was begun, and lets go of the data folder. Idempotent. */
  close(): Promise<void>;
}

/**
 * Starts a team relay on a data folder that nobody else owns. Fails with a StartError (or the relay's RelayError) that
 * says what to do, and with an AbortError when `signal` says so; then nothing is left running.
 */
export async function startTeamRelay(settings: ServeSettings, signal: AbortSignal): Promise<TeamRelay> {
  const cleanup = new Cleanup();
  try {
    return await start(settings, signal, cleanup);
  } catch (error) {
    await cleanup.run();
    throw error;
  }
}

/** Each part that is up is noted in `cleanup`, which takes them down in the opposite order. */
async function start(settings: ServeSettings, signal: AbortSignal, cleanup: Cleanup): Promise<TeamRelay> {
  const { host, port, publicUrl, proxies, registration } = settings;
  const home = await openDataFolder(settings.home);
  const claim = await claimDataFolder(home, signal, PATIENCE_MS);
  if (claim.kind === 'shown') {
    throw new StartError(`The AgentRelay app runs on ${home}. End it, or choose another data folder with --data.`);
  }
  cleanup.add(() => claim.ownership.release());
  const logs = join(home, 'logs');
  await privateFolder(logs);
  const log = openLogFile(logs, settings.logLevel);
  cleanup.add(() => log.close());
  const { logger } = log;

  const tls = settings.tls && (await readCertificate(settings.tls));
  const file = join(home, 'admin-token');
  const admin = await adminTokenIn(file, randomBytes);
  const relay = await createRelay({
    dataDir: home,
    name: settings.relayName,
    version,
    logger,
    adminToken: admin.token,
    edge: { ...(tls && { tls }), ...(proxies && { proxies }) },
    openProfile: settings.openProfile,
    strictCards: settings.strictCards,
    rateLimits: settings.rateLimits,
    ...(publicUrl !== undefined && { publicUrl }),
    ...(registration && { registration }),
    ...(settings.webhookAllow.length > 0 && { webhookAllow: settings.webhookAllow }),
  });
  cleanup.add(() => relay.close());
  const listen = (at: number): Promise<string> => relay.listen({ host, port: at });
  const { url } = await listenOnPort(listen, { port, portIsDefault: false }).catch((error: unknown) => {
    if (!['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'].includes(systemCode(error) ?? '')) throw error;
    throw new StartError(`${host} is no address of this machine. Choose another one with --host.`, { cause: error });
  });
  logger.info({ version, relay: publicUrl ?? url, listening: url }, 'started');
  return {
    id: relay.id,
    name: relay.name,
    url: publicUrl ?? url,
    admin: { file, isNew: admin.isNew },
    close: () => cleanup.run(),
  };
}

async function readCertificate(files: { readonly cert: string; readonly key: string }): Promise<Edge['tls']> {
  const [cert, key] = await Promise.all(
    [files.cert, files.key].map((path) =>
      readFile(path, 'utf8').catch((error: unknown) => {
        throw unusable(path, error);
      }),
    ),
  );
  if (cert === undefined || key === undefined) throw new Error('two files were read');
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw new StartError(`${files.cert} and ${files.key} are not a certificate and its key, as PEM.`, { cause: error });
  }
  return { cert, key };
}
