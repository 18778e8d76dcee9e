import { assertNever } from '../../relay/contract/assert-never.ts';
import type { InboxItem } from '../../relay/contract/desk-api.ts';
import type { Decision, Grants } from '../../relay/contract/trust.ts';
import type { Look } from './handoff.ts';

/** What our own `trust.yaml` says of a peer, in words. Rules are named by line, for they are the reader's own. */

/** What to do about a file that cannot be used is for the banner; this says what is so. */
export function unusableWords({ line }: Decision['rule']): string {
  return `trust.yaml cannot be used (line ${line}): everything is held`;
}

/** Which rule holds or rejects a handoff: "Held by trust.yaml line 14: unknown_teammates.policy = hold". */
export function heldWords({ trust, peer, handoff }: Pick<InboxItem, 'trust' | 'peer' | 'handoff'>): string {
  const { layer, rule, action } = trust;
  // what was taken on before is never rejected, only held back
  const done = action === 'reject' && handoff.state === 'pending' ? 'Rejected' : 'Held';
  const by = `${done} by trust.yaml line ${rule.line}`;
  switch (layer) {
    case 'unusable':
      return unusableWords(rule);
    case 'blocked':
      return `${by}: ${peer} is blocked`;
    case 'unknown':
      return `${by}: ${policyWords(action)}`;
    case 'listed':
      return by;
    default:
      return assertNever(layer);
  }
}

/** The same behind a handle, where there is little room: "ext-bot@vendor held by trust.yaml line 14". */
export function heldShortly(item: Pick<InboxItem, 'trust' | 'peer' | 'handoff'>): string {
  if (item.trust.layer === 'unusable') return 'held, trust.yaml cannot be used';
  const [words = ''] = heldWords(item).split(':');
  return `${words.slice(0, 1).toLowerCase()}${words.slice(1)}`;
}

function policyWords(action: Decision['action']): string {
  const policies = { hold: 'hold', reject: 'reject', deliver: 'allow_with_default_trust' } as const;
  return `unknown_teammates.policy = ${policies[action]}`;
}

/** The line of a thread that says how its peer is trusted, in parts. */
export interface TrustLine extends Omit<Look, 'tone'> {
  readonly tone: Look['tone'] | 'live';
  readonly parts: readonly string[];
}

/** How the peer of a thread is trusted: "Trusted teammate (trust.yaml:6) · reads ok · writes ask". */
export function trustLine(item: Pick<InboxItem, 'trust' | 'peer' | 'handoff' | 'group'>): TrustLine {
  const { layer, rule, action, grants } = item.trust;
  const at = `(trust.yaml:${rule.line})`;
  if (layer === 'unusable') return { icon: 'warn', tone: 'failed', parts: [unusableWords(rule)] };
  if (item.group === 'held') return { icon: 'held', tone: 'held', parts: [heldWords(item)] };
  switch (layer) {
    case 'blocked':
      return { icon: 'declined', tone: 'failed', parts: [`Blocked ${at}`] };
    case 'listed':
      return { icon: 'shield', tone: 'live', parts: [`Trusted teammate ${at}`, ...grantWords(grants)] };
    case 'unknown': {
      const parts = [`Unknown teammate ${at}`, policyWords(action)];
      return { icon: 'shield', tone: 'faint', parts: action === 'reject' ? parts : [...parts, ...grantWords(grants)] };
    }
    default:
      return assertNever(layer);
  }
}

/** So many paths are named. */
const PATHS = 2;

/** What the local agent does for the peer without asking, and what not. Of what is not said, it asks. */
export function grantWords({
  auto_read: read,
  auto_test: test,
  auto_write_paths: paths,
  live,
}: Grants): readonly string[] {
  const reads =
    read && test ? ['reads and tests ok'] : [read ? 'reads ok' : 'reads ask', ...(test ? ['tests ok'] : [])];
  const more = paths.length > PATHS ? ` and ${paths.length - PATHS} more` : '';
  const writes = paths.length === 0 ? 'writes ask' : `writes ok in ${paths.slice(0, PATHS).join(', ')}${more}`;
  const pairs = { auto: ['pairs at once'], ask: [], never: ['no pairing'] }[live];
  return [...reads, writes, ...pairs];
}
