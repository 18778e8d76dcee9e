import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createDesk, type Desk } from '../../../main/desk/desk.ts';
import type { DeskOptions, Logger } from '../../../main/desk/options.ts';
import { createAccountStore } from '../../../main/desk/store/account-store.ts';
import { openTrustFile } from '../../../main/desk/trust/trust-file.ts';
import { openAudit } from '../../support/audit.ts';
import type { Account, DeskEvent, Surface } from '../../../relay/contract/desk-api.ts';
import { createRelay, type Relay } from '../../../relay/server.ts';

/** Desks and what they tell, for tests. Everything that is opened here is closed at the end of the test. */

/** Quick where a person would have to wait, patient where a busy machine might need it. */
export const QUICK = { requestMs: 15_000, silenceMs: 15_000, firstRetryMs: 5, lastRetryMs: 20 } as const;

export interface Logged extends Logger {
  readonly warnings: string[];
  readonly errors: unknown[];
}

export function quietLogger(): Logged {
  const warnings: string[] = [];
  const errors: unknown[] = [];
  return {
    warnings,
    errors,
    info() {},
    warn: (_fields, message) => void warnings.push(message),
    error: (fields) => void errors.push(fields),
  };
}

const ALL_MAY = 'version: 1\nunknown_teammates:\n  policy: allow_with_default_trust\n';

/** A desk of `frank@acme`, or of the account given. */
export async function openDesk(
  relay: string,
  options: Partial<Omit<DeskOptions, 'account'>> & {
    readonly handle?: string;
    readonly apiKey?: string;
    /** What `trust.yaml` says, where there is none yet: all may come in. */
    readonly rules?: string;
    /** The data folder. */
    readonly home?: string;
  } = {},
): Promise<Desk> {
  const { handle = 'frank@acme', apiKey = 'key', rules = ALL_MAY, home, timing, ...rest } = options;
  const alias = handle.slice(handle.indexOf('@') + 1);
  const kept = await openAudit(home);
  createAccountStore(kept.db).setOwnRelay({ id: 'relay-id', name: alias, url: relay });
  const trustPath = join(kept.home, 'trust.yaml');
  if (!existsSync(trustPath)) writeFileSync(trustPath, rules, { mode: 0o600 });
  const trust = openTrustFile(trustPath);
  onTestFinished(() => trust.close());
  const desk = await createDesk({
    version: '0.0.0-test',
    shell: 'browser',
    commandLine: { command: 'agentrelay' },
    deskId: `desk-of-${handle}`,
    account: { handle, alias, relayName: alias, relay, relayId: 'relay-id', isOwn: true, apiKey },
    db: kept.db,
    secrets: kept.secrets,
    trust,
    backups: join(kept.home, 'backups'),
    homeDirs: ['/home/frank'],
    registerAgent: () => Promise.reject(new Error('no agent is registered in this test')),
    openWindow: () => Promise.resolve('http://127.0.0.1:1/#once'),
    status: () => ({
      relay: { url: relay, name: 'acme', id: 'relay-id' },
      mcp: { socket: 'mcp.sock' },
      window: { url: 'http://127.0.0.1:1/' },
    }),
    audit: kept.audit,
    logger: quietLogger(),
    timing: { ...QUICK, ...timing },
    ...rest,
  });
  onTestFinished(() => desk.close());
  return desk;
}

/** All that a desk tells, from its first event on, and a way to wait for one of them. */
export interface Ear {
  readonly events: readonly DeskEvent[];
  /** The first event, told already or to come, that fits. */
  hear(fits: (event: DeskEvent) => boolean): Promise<DeskEvent>;
}

export function listen(desk: Desk, surface: Surface = 'human'): Ear {
  const events: DeskEvent[] = [];
  const waiting = new Set<() => void>();
  onTestFinished(
    desk.subscribe(
      0,
      (event) => {
        events.push(event);
        for (const look of waiting) look();
      },
      surface,
    ),
  );
  return {
    events,
    hear: (fits) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = events.find(fits);
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
  };
}

/** Waits until the account is in a state that fits, and says how it stands. */
export async function accountIs(ear: Ear, fits: (account: Account) => boolean): Promise<Account> {
  const event = await ear.hear((e) => e.type === 'account' && fits(e.account));
  if (event.type !== 'account') throw new Error('not an account event');
  return event.account;
}

/** What the desk says of its one account now. */
export async function accountOf(desk: Desk): Promise<Account> {
  const { accounts } = await desk.call('getSnapshot', {}, 'human');
  const [account] = accounts;
  if (account === undefined) throw new Error('the desk has no account');
  return account;
}

/** A folder of its own, gone after the test. */
export async function dataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'agentrelay-desk-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** An address at which nobody listens. */
export async function closedPort(): Promise<string> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return `http://127.0.0.1:${port}`;
}

/** A relay that is real, and how to stop it and start it again where it was. */
export interface RunningRelay {
  readonly url: string;
  readonly relay: Relay;
  stop(): Promise<void>;
  /** The same folder, unless another is given, on the same port. */
  restart(dataDir?: string): Promise<void>;
}

export async function startRelay(
  options: { readonly publicUrl?: string; readonly name?: string } = {},
): Promise<RunningRelay> {
  const first = await dataFolder();
  let relay = await createRelay({ name: 'acme', ...options, dataDir: first });
  const url = await relay.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => relay.close());
  return {
    url,
    get relay() {
      return relay;
    },
    stop: () => relay.close(),
    async restart(dataDir = first) {
      await relay.close();
      relay = await createRelay({ name: 'acme', ...options, dataDir });
      await relay.listen({ host: '127.0.0.1', port: Number(new URL(url).port) });
    },
  };
}
