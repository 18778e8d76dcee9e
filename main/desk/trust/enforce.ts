import type { InboxItem } from '../../../relay/contract/desk-api.ts';
import type { LiveAccount } from '../accounts/account.ts';
import type { Logger } from '../options.ts';
import { rulingOn } from './ruling.ts';

/** Does at the relays what the rules say: tells a sender that its handoff is held, and declines what is rejected. */
export interface Enforcer {
  /** A handoff as it is now, for the first time or again. What was done for it before is not done again. */
  enforce(account: LiveAccount, item: InboxItem): void;
  /** The relay is there again: what it could not be told is told with the next look. */
  reconnected(account: LiveAccount): void;
}

/** Says nothing of the rule: that is the owner's alone. */
const REJECTED = 'Not accepted by the rules of the recipient.';

export function createEnforcer({ logger }: { readonly logger: Logger }): Enforcer {
  /** What is on its way, or could not be done for now. */
  const begun = new Map<LiveAccount, Set<string>>();

  function once(account: LiveAccount, name: string, act: () => Promise<unknown>): void {
    const names = begun.get(account) ?? new Set();
    begun.set(account, names);
    if (names.has(name)) return;
    names.add(name);
    act().catch((error: unknown) => {
      // the next look at it, after a change of the rules or of the connection, tries again
      names.delete(name);
      logger.warn(
        { err: error, account: account.handle, act: name },
        'what the rules say could not be told to the relay',
      );
    });
  }

  return {
    enforce(account, { task_id: id, trust, handoff: view }) {
      const ruling = rulingOn(view, trust);
      if (view.role !== 'recipient' || view.state !== 'pending' || ruling === 'deliver') return;
      const { last_version: version } = view;
      if (ruling === 'reject') {
        const step = { task_id: id, transition: 'decline', reason: REJECTED, author: 'a2a' };
        const key = `rejected-${id}`;
        once(account, key, () => account.client.updateTask({ ...step, idempotency_key: key }));
        return;
      }
      const { held, surfaced, acked } = view.receipts.recipient;
      // what a person was shown is no longer held back from everybody
      if (held || Math.max(surfaced, acked) >= version) return;
      once(account, `held-${id}-${version}`, () =>
        account.client.postReceipts([{ task_id: id, version, state: 'held' }]),
      );
    },
    reconnected(account) {
      begun.delete(account);
    },
  };
}
