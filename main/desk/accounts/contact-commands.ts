import type { AuditActor } from '../../../relay/contract/audit.ts';
import { COMMANDS } from '../../../relay/contract/desk-api.ts';
import type { ContactView } from '../../../relay/contract/contact.ts';
import { isPerson } from '../../../relay/contract/handoff.ts';
import type { Audit } from '../audit/audit.ts';
import { checked } from '../checked.ts';
import type { Commands } from '../commands.ts';
import { reading, writing } from '../reach.ts';
import { contactsForAgents } from '../trust/for-agents.ts';
import type { TrustRules } from '../trust/rules.ts';
import type { LiveAccount } from './account.ts';
import type { Accounts } from './accounts.ts';

const CONTACT_ACTS = { accept: 'contact_accepted', decline: 'contact_declined', remove: 'contact_removed' } as const;

/**
 * The commands about who may reach an account. What they say stands in two places: in our rules, which count here, and at
 * the relay. Whatever fails in between, nobody reaches us who was shut out: rules come first, but for an unblock.
 */
export function createContactCommands({
  accounts,
  rules,
  audit,
}: {
  readonly accounts: Accounts;
  readonly rules: TrustRules;
  readonly audit: Pick<Audit, 'note'>;
}): Pick<Commands, 'listContacts' | 'decideContact' | 'setBlocked'> {
  async function block(by: LiveAccount, peer: string, actor: AuditActor): Promise<ContactView> {
    const failed = (side: 'rules' | 'relay') => (error: unknown) => {
      audit.note({ action: 'block_failed', actor, account: by.handle, peer, detail: { side } });
      throw error;
    };
    // with rules that cannot be read everything is held: the relay is told all the same
    const local = rules.edit({ kind: 'block', handle: peer }, actor).catch(failed('rules'));
    await local.catch(() => undefined);
    const now = await writing(by, () => by.client.setBlocked(peer, true)).catch(failed('relay'));
    await local;
    audit.note({ action: 'blocked', actor, account: by.handle, peer });
    return now;
  }

  async function unblock(by: LiveAccount, peer: string, actor: AuditActor): Promise<ContactView> {
    rules.requireUsable();
    const now = await writing(by, () => by.client.setBlocked(peer, false));
    await rules.edit({ kind: 'unblock', handle: peer }, actor);
    audit.note({ action: 'unblocked', actor, account: by.handle, peer });
    return now;
  }

  return {
    listContacts: checked(COMMANDS.listContacts, async ({ as }, surface) => {
      const by = accounts.acting(as);
      const contacts = await reading(by, () => by.client.contacts());
      return { contacts: isPerson(surface) ? [...contacts] : contactsForAgents(contacts) };
    }),

    decideContact: checked(COMMANDS.decideContact, async ({ as, handle, decision }, actor) => {
      const by = accounts.toward(handle, as);
      const peer = accounts.peer(handle, as);
      const wasListed = rules.now()(peer).layer === 'listed';
      await rules.edit(
        decision === 'accept' ? { kind: 'teammate', handle: peer, grants: {} } : { kind: 'forget', handle: peer },
        actor,
      );
      const now = await writing(by, () => by.client.decideContact(peer, decision)).catch(async (error: unknown) => {
        // nobody stays a teammate whom the relay does not know, or may never hear of
        if (decision === 'accept' && !wasListed) await rules.edit({ kind: 'forget', handle: peer }, actor);
        throw error;
      });
      audit.note({ action: CONTACT_ACTS[decision], actor, account: by.handle, peer });
      return now;
    }),

    setBlocked: checked(COMMANDS.setBlocked, async ({ as, handle, blocked }, actor) => {
      const by = accounts.toward(handle, as);
      const peer = accounts.peer(handle, as);
      return blocked ? block(by, peer, actor) : unblock(by, peer, actor);
    }),
  };
}
