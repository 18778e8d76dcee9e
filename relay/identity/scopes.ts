import type { Party } from '../contract/handoff.ts';
import { scopeSchema, type Scope } from '../contract/keys.ts';
import { RelayError } from '../contract/reasons.ts';
import type { Scopes } from '../store/ports.ts';

/** What a key may be used for is decided here: pure, by its scopes and what is wanted. */

/** Everything that an agent may do for itself. */
export const OWNER_SCOPES: Scopes = ['send', 'receive', 'contacts'];
/** What the key of whoever runs the relay may do besides: let others in, and take them out. */
export const ALL_SCOPES: Scopes = scopeSchema.options;

const OF_PARTY: Readonly<Record<Party, Scope>> = { sender: 'send', recipient: 'receive' };

/** Whether a key sees the handoffs to which its agent is that party, and may act on them. */
export function isAllowedAs(scopes: Scopes, party: Party): boolean {
  return scopes.includes(OF_PARTY[party]);
}

/**
 * The side of its agent's handoffs that a key may list; undefined where that is both. SCOPE_REQUIRED where it is none.
 * @param wanted only this side
 */
export function sideOf(scopes: Scopes, wanted?: Party): Party | undefined {
  if (wanted !== undefined) {
    requireScope(scopes, [OF_PARTY[wanted]]);
    return wanted;
  }
  requireScope(scopes, ['send', 'receive']);
  if (!isAllowedAs(scopes, 'recipient')) return 'sender';
  return isAllowedAs(scopes, 'sender') ? undefined : 'recipient';
}

/** SCOPE_REQUIRED unless the key has one of these; where none is wanted, every key will do. */
export function requireScope(scopes: Scopes, oneOf: readonly Scope[]): void {
  if (oneOf.length === 0 || oneOf.some((scope) => scopes.includes(scope))) return;
  const names = oneOf.map((scope) => `"${scope}"`).join(' or ');
  throw new RelayError(
    'SCOPE_REQUIRED',
    `This key may not do that: it lacks the scope ${names}. Use a key that has it.`,
    {
      metadata: { scope: oneOf.join(' ') },
    },
  );
}

/** SCOPE_REQUIRED unless a key may do all that is asked for another one: nobody gives away more than they have. */
export function requireAll(scopes: Scopes, asked: Scopes): void {
  for (const scope of asked) requireScope(scopes, [scope]);
}
