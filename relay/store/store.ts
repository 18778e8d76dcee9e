import type { InviteStore, KeyStore } from './key-ports.ts';
import type { ContactStore, Directory, Leases, PushStore, RelayIdentity, TaskLog } from './ports.ts';

/** All that a relay keeps. */
export interface Store {
  readonly log: TaskLog;
  readonly leases: Leases;
  readonly directory: Directory;
  readonly push: PushStore;
  readonly contacts: ContactStore;
  readonly keys: KeyStore;
  readonly invites: InviteStore;
  /** The stored identity; `make` is called at the first start only. */
  identity(make: () => RelayIdentity): Promise<RelayIdentity>;
  /** Writes what is waiting, then closes. */
  close(): Promise<void>;
}
