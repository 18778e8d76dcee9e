import type { ContactView } from '../../../relay/contract/contact.ts';
import type { Audit } from './audit.ts';

/** Writes down that somebody asked to be let in, once for each time they ask. */
export function noteRequests(audit: Pick<Audit, 'note' | 'newestAbout'>, account: string, contact: ContactView): void {
  const { incoming, handle: peer, since, blocked } = contact;
  if (incoming !== 'requested' || blocked) return;
  const ref = `${peer} ${since ?? 0}`;
  if (audit.newestAbout(ref, account, ['contact_requested']) !== undefined) return;
  audit.note({ action: 'contact_requested', actor: 'peer', account, peer, ref });
}
