import { SAFEST, type Grants, type Rule, type Trust, type TrustState } from './trust.ts';

/** What becomes of what a peer sends, and what its words may lead to. */
export interface Decision {
  readonly action: 'deliver' | 'hold' | 'reject';
  /** What decided: the list of the blocked, the peer's entry, the policy for unknown ones, or a file that is of no use. */
  readonly layer: 'blocked' | 'listed' | 'unknown' | 'unusable';
  /** The line that says so; of a file that is of no use the first that is wrong. */
  readonly rule: Rule;
  readonly grants: Grants;
}

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
