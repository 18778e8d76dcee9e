import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { FastifyBaseLogger } from 'fastify';
import { createCardBook } from './cards/card-book.ts';
import { createCardSigner } from './cards/card-signer.ts';
import { formatHandle } from './contract/handle.ts';
import { endAbandoned } from './handoffs/abandoned.ts';
import { createEngine } from './handoffs/engine.ts';
import type { Edge, HttpDeps, RegistrationMode } from './http/deps.ts';
import { createHttpServer } from './http/http-server.ts';
import type { RateLimits } from './http/rate-limits.ts';
import type { Pace } from './http/slow-readers.ts';
import { createDesks } from './hub/desks.ts';
import { createHub } from './hub/hub.ts';
import { createPresence } from './hub/presence.ts';
import { createSseWriters } from './hub/sse-writer.ts';
import { agentsById } from './identity/agents-by-id.ts';
import { createAdminAuthorization } from './identity/admin-token.ts';
import { createAuthenticator } from './identity/authenticate.ts';
import { createBefriend } from './identity/befriend.ts';
import { admitGuest } from './identity/guest.ts';
import { createInvites } from './identity/invites.ts';
import { createKeyEnds } from './identity/key-ends.ts';
import { createKeyRing } from './identity/key-ring.ts';
import { createMembers } from './identity/members.ts';
import { agentChanger } from './identity/change-agent.ts';
import { createRegistry, type Registered, type Registration } from './identity/registry.ts';
import { createProver, fingerprint } from './identity/relay-proof.ts';
import { createMetrics } from './metrics/metrics.ts';
import { addProcessMetrics } from './metrics/process-metrics.ts';
import { addRelayMetrics, commitMetrics } from './metrics/relay-metrics.ts';
import { PATIENCE, type Patience } from './notify/patience.ts';
import { createPush } from './notify/push.ts';
import { createResolve } from './notify/resolve.ts';
import { createWebhook } from './notify/webhook.ts';
import { createWebhookGuard } from './notify/webhook-guard.ts';
import { createPairContextIds } from './operations/context-id.ts';
import { handlesOf, type RelayContext } from './operations/context.ts';
import { offerPushed } from './operations/offered.ts';
import { startLeasing, type LeaseTiming } from './operations/leasing.ts';
import { createIdSource } from './operations/new-id.ts';
import { steadyClock } from './operations/steady-clock.ts';
import type { AgentId, RelayIdentity } from './store/ports.ts';
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
  /** How much is served in a minute. */
  readonly rateLimits?: RateLimits;
  /** TLS of its own, and the proxies before it. */
  readonly edge?: Omit<Edge, 'refusesPages'>;
  /** Opens `/admin` and, from afar, `/metrics` (relay/identity/admin-token.ts). Left out, there is no `/admin`. */
  readonly adminToken?: string;
  /**
   * For compatibility kits, on loopback alone: no key is needed (relay/identity/guest.ts), anybody registers, message ids
   * are used again, no version has to be named, webhooks may be on this machine. No web page is answered.
   */
  readonly openProfile?: boolean;
  /** Serves a 1.0 method without a version header as 1.0, where the specification means 0.3. */
  readonly lenientVersion?: boolean;
  /** Serves a card in the form of 1.0 to whoever names no version, where others get one that all generations read. */
  readonly strictCards?: boolean;
  /** How workers are dealt with, where it is not as usual (DEFAULT_LEASE_TIMING). */
  readonly leases?: Partial<LeaseTiming>;
  /**
   * Webhooks that may be called although they are not on the public internet: host names, addresses, and ranges such as
   * `10.0.0.0/8`. For development and closed networks. Default: none.
   */
  readonly webhookAllow?: readonly string[];
  /** How long a webhook that fails is tried again. Default: 24 times in a day at most. */
  readonly patience?: Patience;
  /** Off only for compatibility kits that use one message id for many messages. */
  readonly idempotency?: boolean;
}

/** For one call of a webhook, look-up and all (A2A 1.0.1 section 13.2 has 10 to 30 s). */
const WEBHOOK_TIMEOUT_MS = 15_000;

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
  /**
   * For the owner of this process. Others register over HTTP, if the relay lets them.
   * @param friend the handle of an agent that becomes a contact of the new one, and the other way round
   */
  register(registration: Registration, friend?: string): Promise<RegisteredAgent>;
  /**
   * Makes or finds the agent of whoever runs this process, by its key, which may then do everything, the work of an admin
   * too. Call it at each start. Fails as `register` does.
   */
  own(registration: Registration & { readonly apiKey: string }): Promise<RegisteredAgent>;
  /** Ends every stream, answers what was begun, commits what is waiting. Idempotent. */
  close(): Promise<void>;
}

/** Puts a relay together: store, engine, hub, operations, routes. */
export async function createRelay(options: RelayOptions): Promise<Relay> {
  const clock = options.clock ?? Date.now;
  const isOpen = options.openProfile ?? false;
  const metrics = createMetrics();
  const store = openSqliteStore({ dataDir: options.dataDir, clock, onGroup: commitMetrics(metrics) });
  const relay = await store.identity(() => newIdentity(options.name));
  const { log, directory } = store;
  const hub = createHub({ log });
  const writers = createSseWriters();
  const registry = createRegistry({ directory, keys: store.keys, random: randomBytes, relayName: relay.name });
  const keyEnds = createKeyEnds(clock);
  const byKey = createAuthenticator({ directory, ends: keyEnds, clock });
  const authenticator = isOpen ? await admitGuest(byKey, registry) : byKey;
  const removed = new Set<AgentId>();
  const newId = createIdSource(clock, randomBytes);
  const signer = createCardSigner(relay);
  const version = options.version ?? '0.0.0';
  let url = options.publicUrl ?? '';
  const stopping = new AbortController();
  // every call that waits listens to it
  setMaxListeners(0, stopping.signal);

  const steady = steadyClock(clock, () => performance.now());
  const befriend = createBefriend(store.contacts);
  const engine = createEngine({ log, clock, steady, asksConsent: !isOpen });
  const ends = (): Promise<void> => endAbandoned({ log, engine });
  const agents = agentsById(directory);
  const finds = { agentById: agents.agentById, searchAgents: directory.searchAgents };
  const guard = createWebhookGuard({
    resolve: createResolve(),
    allow: [...(options.webhookAllow ?? []), ...(isOpen ? ['localhost', '127.0.0.0/8', '::1'] : [])],
  });
  const push = createPush({
    log,
    store: store.push,
    call: createWebhook({ guard, timeoutMs: WEBHOOK_TIMEOUT_MS, clock }),
    handlesOf: (handoff) => handlesOf({ relay, directory: finds }, handoff),
    delivered: (news, agent) => offerPushed({ engine }, news, agent),
    patience: options.patience ?? PATIENCE,
    clock,
    random: Math.random,
    userAgent: `AgentRelay/${version}`,
    ...(options.logger === undefined ? {} : { logger: options.logger }),
  });

  const context: RelayContext = {
    relay: { id: relay.id, name: relay.name },
    log,
    engine,
    hub,
    presence: createPresence(),
    directory: finds,
    cards: createCardBook(() => ({ name: relay.name, publicUrl: url, version }), signer),
    resolve: registry.resolve,
    contacts: store.contacts,
    webhooks: { guard, store: store.push, push },
    clock,
    newId,
    pairContextId: createPairContextIds(relay.id),
    blockMs: options.blockMs ?? 28_000,
    stopping: stopping.signal,
    confirm: authenticator.confirm,
    keyEnds,
    removals: removed,
    noteWaiting: metrics.tally('agentrelay_waiting_calls', 'Calls of SendMessage that wait for their task.'),
    idempotency: options.idempotency ?? !isOpen,
  };
  const leasing = startLeasing(context, {
    leases: store.leases,
    timing: options.leases,
    steady,
    random: Math.random,
    onFault: (error) => options.logger?.error({ err: error }, 'the leases of workers could not be looked after'),
  });
  const deps: HttpDeps = {
    context,
    leasing,
    authenticator,
    registry,
    changeAgent: agentChanger(directory, [registry, authenticator, agents]),
    keyRing: createKeyRing({ keys: store.keys, ends: keyEnds, random: randomBytes, clock }),
    invites: createInvites({
      invites: store.invites,
      registry,
      befriend,
      random: randomBytes,
      clock,
      newId,
    }),
    prove: createProver(relay),
    cardKeys: signer.keys,
    writers,
    desks: createDesks(),
    registration: options.registration ?? (isOpen ? 'open' : 'invite'),
    publicUrl: () => url,
    startedAt: clock(),
    heartbeatMs: options.heartbeatMs ?? 15_000,
    streamMaxAgeMs: options.streamMaxAgeMs ?? 600_000,
    authorizeAdmin: options.adminToken === undefined ? undefined : createAdminAuthorization(options.adminToken),
    members: createMembers({
      directory,
      registry,
      keys: store.keys,
      ends: keyEnds,
      removed,
      push,
      random: randomBytes,
      isOpen,
      endAbandoned: ends,
    }),
    metrics,
    rateLimits: options.rateLimits ?? {},
    edge: { ...options.edge, refusesPages: isOpen },
    pace: options.pace ?? { graceMs: 10_000, bytesPerSecond: 256 * 1024 },
    lenientVersion: options.lenientVersion ?? isOpen,
    strictCards: options.strictCards ?? false,
  };

  addRelayMetrics(metrics, { log, writers });
  addProcessMetrics(metrics);
  const http = createHttpServer(deps, options.logger);
  await push.start();
  // what a removal has not come to
  await ends();
  const registered = ({ agent, apiKey }: Registered): RegisteredAgent => ({
    handle: formatHandle(agent.name, relay.name),
    endpoint: `${url}/a/${agent.name}`,
    cardUrl: `${url}/a/${agent.name}/agent-card.json`,
    apiKey,
  });
  let closing: Promise<void> | undefined;
  return {
    id: relay.id,
    name: relay.name,
    async listen(address) {
      const listening = await http.listen(address);
      if (url === '') url = listening;
      return listening;
    },
    async register(registration, friend) {
      const made = await registry.register(registration);
      const other = friend === undefined ? undefined : await registry.resolve(friend);
      if (other !== undefined && other.id !== made.agent.id) await befriend(other.id, made.agent.id);
      return registered(made);
    },
    async own(registration) {
      const owned = await registry.own(registration);
      // what was remembered of its key may do less
      authenticator.refresh(owned.agent);
      return registered(owned);
    },
    close() {
      closing ??= (async () => {
        stopping.abort();
        await http.close();
        await push.close();
        await leasing.close();
        keyEnds.close();
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
  return { id: fingerprint(publicKey), name, privateKey };
}
