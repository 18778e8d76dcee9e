import { hash } from 'node:crypto';
import { BoundedMap } from '../identity/bounded-map.ts';
import type { Agent } from '../store/ports.ts';

/** The conversation of two agents, for clients that name none (A2A 1.0.1 section 3.4): one for each two. */
export type PairContextId = (a: Agent, b: Agent) => string;

const CACHE_LIMIT = 10_000;

/** Remembers the conversations of a relay: each send without a context asks for one. */
export function createPairContextIds(relayId: string): PairContextId {
  const known = new BoundedMap<string, string>(CACHE_LIMIT);
  return (a, b) => {
    const pair = [a.uid, b.uid].toSorted().join(' ');
    const id = known.get(pair) ?? pairContextId(relayId, pair);
    known.set(pair, id);
    return id;
  };
}

/**
 * Always the same for the same two, and another one should a name be given to a new agent. In the form of a UUID
 * (version 8, RFC 9562 section 5.8).
 */
function pairContextId(relayId: string, pair: string): string {
  const hex = hash('sha256', `${relayId} ${pair}`);
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
