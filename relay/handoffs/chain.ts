import { RelayError } from '../contract/reasons.ts';
import type { AgentId, Chain, Handoff } from '../store/ports.ts';

/**
 * The loop guard of the relay (docs/explanation/loop-guard.md): through whom work came that agents hand on by themselves,
 * and when it goes no further without a person. Pure; what it looks at never changes once a handoff is there.
 */

/** Most handoffs in one chain. */
export const MOST_HOPS = 16;
/**
 * How often work may come to the same agent. Twice: who handed it on may be asked about it. A third time is the second lap of a
 * circle.
 */
export const MOST_VISITS = 2;

/** Which handoffs there are between whom, and how each came about. */
export type Link = Pick<Handoff, 'sender' | 'recipient' | 'chain'>;

/**
 * The chain of a new handoff; undefined where it begins one. Of the handoffs that it refers to, those count that the sender is
 * a party to, and of these the one with the most hops: so another name more, wherever it stands, makes no chain shorter.
 */
export function follow(sender: AgentId, recipient: AgentId, named: readonly Link[]): Chain | undefined {
  const own = named.filter((link) => link.sender === sender || link.recipient === sender);
  const [longest] = own.map((link) => next(link, sender, recipient)).toSorted((a, b) => b.hops - a.hops);
  return longest;
}

/**
 * Handed on by its recipient, the work comes to one more. What its sender has done after it, by the same agent or another one,
 * stands beside it: one hop more, but no visit of the one that is left.
 */
function next(link: Link, sender: AgentId, recipient: AgentId): Chain {
  const { hops, path } = link.chain ?? { hops: 1, path: [link.sender, link.recipient] };
  const upToSender = link.recipient === sender ? path : path.slice(0, -1);
  return { hops: hops + 1, path: [...upToSender, recipient] };
}

/**
 * LOOP_STOPPED where a chain is too long, or comes to its last agent too often. Which of both it was is not said: who else the
 * work came through is nobody's business.
 */
export function refuseLoop(chain: Chain | undefined): void {
  if (chain === undefined) return;
  const { hops, path } = chain;
  const visits = path.filter((agent) => agent === path.at(-1)).length;
  if (hops <= MOST_HOPS && visits <= MOST_VISITS) return;
  throw new RelayError(
    'LOOP_STOPPED',
    'This work has gone from agent to agent too often, so no agent hands it on by itself. Nothing was stored. A person has to look at it, and send it on.',
    { metadata: { hops: String(hops) } },
  );
}
