import type { AgentId, ContactStore } from '../store/ports.ts';

/** Makes two agents contacts of one another, because one of them has invited the other. */
export type Befriend = (inviter: AgentId, joiner: AgentId) => Promise<void>;

/** What the inviter has said of the joiner since stays as it is: redeeming an invite once more takes nothing back. */
export function createBefriend(contacts: Pick<ContactStore, 'change'>): Befriend {
  return (inviter, joiner) =>
    contacts.change(joiner, inviter, ({ word }) => ({
      value: undefined,
      changes:
        word === 'accepted' || word === 'declined'
          ? []
          : [
              { agent: inviter, about: joiner, word: 'accepted' },
              { agent: joiner, about: inviter, word: 'accepted' },
            ],
    }));
}
