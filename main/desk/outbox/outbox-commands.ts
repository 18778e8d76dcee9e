import { COMMANDS } from '../../../relay/contract/desk-api.ts';
import { isPerson } from '../../../relay/contract/handoff.ts';
import type { LiveAccount } from '../accounts/account.ts';
import { checked } from '../checked.ts';
import type { Commands } from '../commands.ts';
import { outboxForAgents } from '../trust/for-agents.ts';
import type { Outbox } from './outbox.ts';

/** The commands about what could not be sent. */
export function createOutboxCommands({
  outbox,
  acting,
  accountOf,
}: {
  readonly outbox: Outbox;
  readonly acting: (as: string | undefined) => LiveAccount;
  /** Whose item it is, where nobody says. */
  readonly accountOf: (handle: string) => LiveAccount;
}): Pick<Commands, 'listOutbox' | 'releaseOutbox' | 'discardOutbox'> {
  /** The account that an item belongs to: the one that was named, else the one that has it. */
  function owner(as: string | undefined, id: string): LiveAccount {
    const item = as === undefined ? outbox.list().find((one) => one.id === id) : undefined;
    return item === undefined ? acting(as) : accountOf(item.account);
  }

  return {
    listOutbox: checked(COMMANDS.listOutbox, async ({ as }, surface) => {
      const items = outbox.list(as === undefined ? undefined : acting(as).handle);
      return { items: isPerson(surface) ? [...items] : outboxForAgents(items) };
    }),
    releaseOutbox: checked(COMMANDS.releaseOutbox, async ({ as, id }, surface) =>
      outbox.release(owner(as, id), id, surface),
    ),
    discardOutbox: checked(COMMANDS.discardOutbox, async ({ as, id }, surface) => {
      await outbox.discard(owner(as, id), id, surface);
      return {};
    }),
  };
}
