import { first } from './001-first.ts';
import { leases } from './002-leases.ts';
import { cards } from './003-cards.ts';
import { push } from './004-push.ts';
import { removals } from './005-removals.ts';
import { givenUp } from './006-given-up.ts';
import { contacts } from './007-contacts.ts';
import { keysAndInvites } from './008-keys-and-invites.ts';
import { chains } from './009-chains.ts';

/** In order; the n-th brings a store from schema n-1 to n. What has been released is never changed, only added to. */
export const MIGRATIONS: readonly string[] = [
  first,
  leases,
  cards,
  push,
  removals,
  givenUp,
  contacts,
  keysAndInvites,
  chains,
];
