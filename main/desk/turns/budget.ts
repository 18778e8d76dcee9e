import type { Surface } from '../../../relay/contract/desk-api.ts';
import { isPerson } from '../../../relay/contract/handoff.ts';

/** How many times an agent writes before a person has to look (docs/explanation/loop-guard.md). */
export const AGENT_TURNS = 20;

/** With whom something is done: what is written on one thread is counted, and so are new handoffs to one peer. */
export interface About {
  /** The handle of the account that acts. */
  readonly account: string;
  /** The handle of the other side. */
  readonly peer: string;
  /** Left out, it is about a new handoff. */
  readonly thread?: string;
}

/**
 * What becomes of a write. `free`: a person's, after which the count begins anew. `repeat`: the same write once more.
 * `counts`: one more of the agent's. `waits`: for a person.
 */
export type Verdict = 'free' | 'repeat' | 'counts' | 'waits';

/**
 * Pure. What an agent repeats of what it has written goes through also where nothing new does: it is on its way already.
 * @param spent the keys of what agents have written since a person acted
 */
export function judge(surface: Surface, spent: ReadonlySet<string>, key: string): Verdict {
  if (isPerson(surface)) return 'free';
  if (spent.has(key)) return 'repeat';
  return spent.size < AGENT_TURNS ? 'counts' : 'waits';
}

/** Why a write waits, for the person who is to decide. */
export function waitingReason({ peer, thread }: About): string {
  const done =
    thread === undefined ? `handed work to ${peer} ${AGENT_TURNS} times` : `written ${AGENT_TURNS} times to ${peer}`;
  return `Your agent has ${done} without a person. Look at it and send it on, or discard it.`;
}
