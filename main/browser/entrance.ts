import { newToken, tokenHash, type RandomBytes } from '../tokens.ts';

/** How long an address that opens the window is good for. */
export const ENTRY_TTL_MS = 10 * 60 * 1000;
/** Addresses that are waiting to be used; a new one takes the oldest one's place. */
const MAX_ENTRIES = 32;
/** Browsers that are let in; a new one takes the oldest one's place. */
const MAX_SESSIONS = 64;

/** Who may use the window: one-time tokens are exchanged for sessions. Only hashes of either are kept, in memory. */
export interface Entrance {
  /** A token that lets one browser in, once, within ten minutes. */
  issue(): string;
  /** Exchanges a token for the id of a new session; undefined when it is unknown, used or too old. */
  redeem(token: string): string | undefined;
  isSession(id: string): boolean;
}

/** @param clock milliseconds since any fixed moment */
export function createEntrance({ clock, random }: { clock: () => number; random: RandomBytes }): Entrance {
  const entries = new Map<string, number>();
  const sessions = new Set<string>();
  return {
    issue: () => {
      const token = newToken(random);
      dropOldest(entries, MAX_ENTRIES);
      entries.set(tokenHash(token), clock() + ENTRY_TTL_MS);
      return token;
    },
    redeem: (token) => {
      const hash = tokenHash(token);
      const goodUntil = entries.get(hash);
      entries.delete(hash);
      if (goodUntil === undefined || clock() > goodUntil) return undefined;
      const id = newToken(random);
      dropOldest(sessions, MAX_SESSIONS);
      sessions.add(tokenHash(id));
      return id;
    },
    isSession: (id) => sessions.has(tokenHash(id)),
  };
}

/** Makes room for one more. Maps and sets remember the order in which things were put in. */
function dropOldest(from: Map<string, unknown> | Set<string>, limit: number): void {
  for (const oldest of from.keys()) {
    if (from.size < limit) return;
    from.delete(oldest);
  }
}
