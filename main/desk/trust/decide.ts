import { isDeepStrictEqual } from 'node:util';
import type { Decision, Grants } from '../../../relay/contract/trust.ts';
import { SAFEST, type Trust, type TrustState } from './trust.ts';

/** What holds for nobody in particular, and for everybody once nothing can be relied on. */
const NOTHING: Grants = { ...SAFEST, live: 'never' };

/**
 * Decides by `trust.yaml`. Total and pure: blocked, then the entry, then the policy for the unknown; and a file with an
 * error in it holds everything.
 * @param handle `name@alias` as this desk knows the peer: the alias is the desk's own for that relay, and never the peer's
 *   word
 */
export function decide(state: TrustState, handle: string): Decision {
  if (state.kind === 'bad') {
    const rule = { path: '', line: state.errors[0]?.line ?? 1 };
    return { action: 'hold', layer: 'unusable', rule, grants: NOTHING };
  }
  const { trust } = state;
  const key = handle.toLowerCase();
  const blocked = trust.blocked.get(key);
  if (blocked !== undefined) return { action: 'reject', layer: 'blocked', rule: blocked, grants: NOTHING };
  const entry = trust.teammates.get(key);
  if (entry !== undefined) {
    return { action: 'deliver', layer: 'listed', rule: entry.rule, grants: { ...trust.defaults, ...entry.grants } };
  }
  return { layer: 'unknown', rule: trust.unknown.rule, ...byPolicy(trust) };
}

/**
 * Decides while somebody may still be writing the file: what it said before and what it says now have to agree, or it is
 * held until it is whole, and grants nothing. Whoever is blocked by one of them is so until then.
 */
export function decideBetween(before: TrustState, now: TrustState, handle: string): Decision {
  const decisions = [decide(before, handle), decide(now, handle)] as const;
  const [first, second] = decisions;
  const shut = decisions.find(({ layer }) => layer === 'blocked' || layer === 'unusable');
  const agree = first.action === second.action && (shut === undefined || first.layer === second.layer);
  if (!agree) return { ...(shut ?? second), action: 'hold', grants: NOTHING };
  return isDeepStrictEqual(first.grants, second.grants) ? second : { ...second, grants: NOTHING };
}

function byPolicy({ unknown, defaults }: Trust): Pick<Decision, 'action' | 'grants'> {
  switch (unknown.policy) {
    case 'reject':
      return { action: 'reject', grants: NOTHING };
    case 'hold':
      return { action: 'hold', grants: NOTHING };
    case 'allow_with_default_trust':
      return { action: 'deliver', grants: defaults };
  }
}

/** Whether a path may be written without asking: it is named, or lies in a folder that is. */
export function mayWrite({ auto_write_paths: paths }: Pick<Grants, 'auto_write_paths'>, path: string): boolean {
  const parts = path.split('/');
  if (path.startsWith('/') || parts.some((part) => part === '..' || part === '.' || part === '')) return false;
  return paths.some((one) => (one.endsWith('/') ? path.startsWith(one) : path === one));
}
