import { generateKeyPairSync, hash, randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { FastifyBaseLogger } from 'fastify';
import { formatHandle } from './contract/handle.ts';
import { createEngine } from './handoffs/engine.ts';
import type { HttpDeps, RegistrationMode } from './http/deps.ts';
import { createHttpServer } from './http/http-server.ts';
import type { Pace } from './http/slow-readers.ts';
import { createDesks } from './hub/desks.ts';
import { createHub } from './hub/hub.ts';
import { createPresence } from './hub/presence.ts';
import { createSseWriters } from './hub/sse-writer.ts';
import { admit } from './identity/admit.ts';
import { agentsById } from './identity/agents-by-id.ts';
import { createAuthenticator } from './identity/authenticate.ts';
import { createRegistry, type Registration } from './identity/registry.ts';
import { createPairContextIds } from './operations/context-id.ts';
import type { RelayContext } from './operations/context.ts';
import { createIdSource } from './operations/new-id.ts';
import type { RelayIdentity } from './store/ports.ts';
import { openSqliteStore } from './store/sqlite/store.ts';

export interface RelayOptions {
  /** Holds `relay.db` and `backups/`. One process owns it. */
  readonly dataDir: string;
  /** The part after `@`, taken at the first start; later ones keep what is stored. */
  readonly name: string;
  /** AgentRelay's version, for cards. */
  readonly version?: string;
  /** Default: `invite`. */
  readonly registration?: RegistrationMode;
  /** Where others reach it, when that is not where it listens. */
  readonly publicUrl?: string;
  readonly logger?: FastifyBaseLogger;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
  /** How long a blocking SendMessage waits. Default: 28 s, less than the 30 s after which clients give up. */
  readonly blockMs?: number;
  readonly heartbeatMs?: number;
  readonly streamMaxAgeMs?: number;
  /** How fast clients have to take what they are sent. Default: 10 s, and a second more for each 256 KiB. */
  readonly pace?: Pace;
  /** Serves a 1.0 method without a version header as 1.0, where the specification means 0.3. */
  readonly lenientVersion?: boolean;
  /** Off only for compatibility kits that use one message id for many messages. */
  readonly idempotency?: boolean;
}

export interface RegisteredAgent {
  readonly handle: string;
  readonly endpoint: string;
  readonly cardUrl: string;
  readonly apiKey: string;
}

export interface Relay {
  /** Permanent. */
  readonly id: string;
  readonly name: string;
  /** Resolves with the base URL. `port` 0 is any free one. Rejects with Node's own error when it is taken. */
  listen(address: { readonly host: string; readonly port: number }): Promise<string>;
  /** For the owner of this process. Others register over HTTP, if the relay lets them. */
  register(registration: Registration): Promise<RegisteredAgent>;
  /** Ends every stream, answers what was begun, commits what is waiting. Idempotent. */
  close(): Promise<void>;
}

/** Puts a relay together: store, engine, hub, operations, routes. */
export async function createRelay(options: RelayOptions): Promise<Relay> {
  const clock = options.clock ?? Date.now;
  const store = openSqliteStore({ dataDir: options.dataDir, clock });
  const relay = await store.identity(() => newIdentity(options.name));
  const { log, directory } = store;
  const hub = createHub({ log });
  const writers = createSseWriters();
  const registry = createRegistry({ directory, random: randomBytes, relayName: relay.name });
  let url = options.publicUrl ?? '';
  const stopping = new AbortController();
  // every call that waits listens to it
  setMaxListeners(0, stopping.signal);

  const context: RelayContext = {
    relay: { id: relay.id, name: relay.name },
    log,
    engine: createEngine({ log, clock }),
    hub,
    presence: createPresence(),
    directory: agentsById(directory),
    resolve: registry.resolve,
    admit,
    clock,
    newId: createIdSource(clock, randomBytes),
    pairContextId: createPairContextIds(relay.id),
    blockMs: options.blockMs ?? 28_000,
    stopping: stopping.signal,
    idempotency: options.idempotency ?? true,
  };
  const deps: HttpDeps = {
    context,
    authenticator: createAuthenticator({ directory, clock }),
    registry,
    writers,
    desks: createDesks(),
    registration: options.registration ?? 'invite',
    publicUrl: () => url,
    version: options.version ?? '0.0.0',
    startedAt: clock(),
    heartbeatMs: options.heartbeatMs ?? 15_000,
    streamMaxAgeMs: options.streamMaxAgeMs ?? 600_000,
    pace: options.pace ?? { graceMs: 10_000, bytesPerSecond: 256 * 1024 },
    lenientVersion: options.lenientVersion ?? false,
  };

  const http = createHttpServer(deps, options.logger);
  let closing: Promise<void> | undefined;
  return {
    id: relay.id,
    name: relay.name,
    async listen(address) {
      const listening = await http.listen(address);
      if (url === '') url = listening;
      return listening;
    },
    async register(registration) {
      const { agent, apiKey } = await registry.register(registration);
      return {
        handle: formatHandle(agent.name, relay.name),
        endpoint: `${url}/a/${agent.name}`,
        cardUrl: `${url}/a/${agent.name}/agent-card.json`,
        apiKey,
      };
    },
    close() {
      closing ??= (async () => {
        stopping.abort();
        await http.close();
        hub.close();
        await store.close();
      })();
      return closing;
    },
  };
}

/** A key pair made once; its fingerprint is who the relay is, whatever it is called. */
function newIdentity(name: string): RelayIdentity {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return { id: hash('sha256', publicKey, 'base64url'), name, privateKey };
}
