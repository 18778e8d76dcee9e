import type { ContactView } from '../../../relay/contract/contact.ts';
import type { DeskEvent, InboxItem } from '../../../relay/contract/desk-api.ts';
import type { OutboxItem } from '../../../relay/contract/outbox.ts';
import { RelayError } from '../../../relay/contract/reasons.ts';
import type { Decision } from '../../../relay/contract/trust.ts';
import { isHidden } from './ruling.ts';

/** What coding agents are given of what the desk knows: nothing that our rules hold back (docs/reference/trust-yaml.md). */

/** The rows that agents may see. */
export function rowsForAgents(items: readonly InboxItem[]): InboxItem[] {
  return items.filter(({ handoff, trust }) => !isHidden(handoff, trust));
}

/**
 * An event as agents are told it: of what they may not see, that there was one.
 * @param rules what the rules say of a peer now, which may be more than they said when it happened
 */
export function eventForAgents(event: DeskEvent, rules: (peer: string) => Decision): DeskEvent {
  if (event.type === 'outbox' && event.item !== undefined) {
    const [item] = outboxForAgents([event.item]);
    return { ...event, ...(item && { item }) };
  }
  if (event.type !== 'item' || !isHidden(event.item.handoff, rules(event.item.peer))) return event;
  return { seq: event.seq, type: 'hidden' };
}

/** Contacts without the words of those who ask to be one. */
export function contactsForAgents(contacts: readonly ContactView[]): ContactView[] {
  return contacts.map(({ note: _words, ...contact }) => contact);
}

/** What waits, without what looks like a secret in it: one agent's is nothing for another one. */
export function outboxForAgents(items: readonly OutboxItem[]): OutboxItem[] {
  return items.map((item) => (item.findings.length > 0 ? { ...item, text: '' } : item));
}

/** HELD_BY_TRUST where agents may neither see a handoff nor act on it. */
export function refuseHidden({ handoff, trust }: InboxItem): void {
  if (!isHidden(handoff, trust)) return;
  const message = 'The rules of your person hold this handoff back. They decide about it in AgentRelay first.';
  throw new RelayError('HELD_BY_TRUST', message);
}
