import type { Database } from '../../../relay/store/sqlite/database.ts';
import { storing } from '../../../relay/store/sqlite/storage-failure.ts';

/** A relay that this desk has an account on. */
export interface KnownRelay {
  /** Its permanent id: that is who it is. */
  readonly id: string;
  /** What it is called on this desk. */
  readonly alias: string;
  /** What it calls itself. */
  readonly name: string;
  /** Its base URL. */
  readonly url: string;
}

/** An account on another relay. */
export interface StoredAccount {
  /** The part of the handle before `@`. */
  readonly name: string;
  readonly relay: KnownRelay;
}

/** Relays and accounts in `desk.db`. Every write is durable on return, and fails with STORAGE_FAILED where it cannot be. */
export interface AccountStore {
  relay(id: string): KnownRelay | undefined;
  /** The relay that has a name here. */
  relayCalled(alias: string): KnownRelay | undefined;
  /**
   * The relay of this data folder, as it is called here: by its own name, unless a relay with accounts has that. An own
   * relay that was there before, and is gone, makes way.
   */
  setOwnRelay(relay: Omit<KnownRelay, 'alias'>): KnownRelay;
  /** In the order in which they came. */
  list(): readonly StoredAccount[];
  /** Adds an account, or changes where its relay is. */
  put(account: StoredAccount): void;
}

export function createAccountStore(db: Database): AccountStore {
  const byId = db.prepare<[string], KnownRelay>('SELECT id, alias, name, url FROM relay WHERE id = ?');
  const byAlias = db.prepare<[string], KnownRelay>('SELECT id, alias, name, url FROM relay WHERE alias = ?');
  const all = db.prepare<[], KnownRelay & { readonly account: string }>(
    `SELECT account.name AS account, relay.id, relay.alias, relay.name, relay.url
     FROM account JOIN relay ON relay.id = account.relay_id ORDER BY position`,
  );
  const putRelay = db.prepare(
    `INSERT INTO relay (id, alias, name, url) VALUES (@id, @alias, @name, @url)
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, url = excluded.url`,
  );
  const makeWay = db.prepare(
    'DELETE FROM relay WHERE alias = ? AND id <> ? AND id NOT IN (SELECT relay_id FROM account)',
  );
  const putAccount = db.prepare('INSERT INTO account (relay_id, name) VALUES (?, ?) ON CONFLICT DO NOTHING');

  function freeAlias(name: string): string {
    for (let alias = name, n = 2; ; alias = `${name.slice(0, 60)}-${n++}`) {
      if (byAlias.get(alias) === undefined) return alias;
    }
  }

  return {
    relay: (id) => byId.get(id),
    relayCalled: (alias) => byAlias.get(alias),
    setOwnRelay: (own) =>
      storing(
        db.transaction(() => {
          makeWay.run(own.name, own.id);
          const alias = byId.get(own.id)?.alias ?? freeAlias(own.name);
          putRelay.run({ ...own, alias });
          return { ...own, alias };
        }),
      ),
    list: () => all.all().map(({ account, ...relay }) => ({ name: account, relay })),
    put: ({ name, relay }) =>
      storing(() => {
        db.transaction(() => {
          putRelay.run(relay);
          putAccount.run(relay.id, name);
        })();
      }),
  };
}

/** Who was invited and has not come yet. */
export interface InvitedStore {
  /** @param expiresAt when the invite ends, milliseconds since the epoch */
  put(account: string, peer: string, expiresAt: number): void;
  /** Whether a peer was, and the invite has not ended. */
  isAwaited(account: string, peer: string, now: number): boolean;
  /** They have come. */
  remove(account: string, peer: string): void;
}

export function createInvitedStore(db: Database): InvitedStore {
  const put = db.prepare(
    `INSERT INTO invited (account, peer, expires_at) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET expires_at = excluded.expires_at`,
  );
  const find = db.prepare<[string, string], { readonly expires_at: number }>(
    'SELECT expires_at FROM invited WHERE account = ? AND peer = ?',
  );
  const remove = db.prepare('DELETE FROM invited WHERE account = ? AND peer = ?');
  return {
    put: (account, peer, expiresAt) => void storing(() => put.run(account, peer, expiresAt)),
    isAwaited: (account, peer, now) => (find.get(account, peer)?.expires_at ?? 0) > now,
    remove: (account, peer) => void storing(() => remove.run(account, peer)),
  };
}
