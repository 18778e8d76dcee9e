import { assertNever } from '../../../relay/contract/assert-never.ts';
import type { Surface } from '../../../relay/contract/desk-api.ts';
import type { Database } from '../../../relay/store/sqlite/database.ts';
import { storing } from '../../../relay/store/sqlite/storage-failure.ts';
import { AGENT_TURNS, judge, waitingReason, type About } from './budget.ts';
import { createTurnRows, DAY, type Count } from './rows.ts';

/** Something that is written to a peer. */
export interface Write extends About {
  /** The door that it came through. */
  readonly surface: Surface;
  /** The same for the same write, and for no other: what is written twice under it counts once. */
  readonly key: string;
}

/** Whether a write may be sent, with how many more of an agent's may; else why it waits for a person. */
export type Turn = { readonly ok: true; readonly left: number } | { readonly ok: false; readonly reason: string };

/**
 * The budget of agent turns (docs/explanation/loop-guard.md): how often the desk's own agents write before a person has to look.
 * Durable on return. Everything fails with STORAGE_FAILED where it cannot be stored; then nothing is to be sent.
 */
export interface Turns {
  /** Asks before something is sent, a person's too: that one is always let through, and is what `humanActed` is for. */
  spend(write: Write): Turn;
  /**
   * A person has acted without writing: the count begins anew for new handoffs to the peer, and for the thread if there is
   * one. For other threads it stays: nobody has looked at those.
   */
  humanActed(about: About): void;
  /** How many more times an agent may write. */
  left(about: About): number;
  /** Nobody can write on a thread any more. */
  threadClosed(account: string, thread: string): void;
}

export interface TurnsOptions {
  readonly db: Database;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

export function createTurns({ db, clock }: TurnsOptions): Turns {
  const rows = createTurnRows(db);
  let tidiedAt = -Infinity;

  /** One transaction, so that what was counted is what is decided upon. */
  function store<T>(work: () => T): T {
    return storing(() => db.transaction(work).immediate());
  }

  function reset(about: About): void {
    rows.remove(countOf(about));
    rows.remove(newHandoffs(about));
  }

  /** Once a day: it looks at everything. */
  function tidy(now: number): void {
    if (now < tidiedAt + DAY) return;
    rows.removeOld(now);
    tidiedAt = now;
  }

  function spend(write: Write): Turn {
    const { surface, key } = write;
    const count = countOf(write);
    const spent = rows.keys(count);
    const verdict = judge(surface, spent, key);
    switch (verdict) {
      case 'free':
        reset(write);
        return { ok: true, left: AGENT_TURNS };
      case 'repeat':
        return { ok: true, left: AGENT_TURNS - spent.size };
      case 'counts':
        tidy(clock());
        rows.add(count, key, clock());
        return { ok: true, left: AGENT_TURNS - spent.size - 1 };
      case 'waits':
        rows.touch(count, clock());
        return { ok: false, reason: waitingReason(write) };
      default:
        return assertNever(verdict);
    }
  }

  return {
    spend: (write) => store(() => spend(write)),
    humanActed: (about) => store(() => reset(about)),
    left: (about) => store(() => AGENT_TURNS - rows.keys(countOf(about)).size),
    threadClosed: (account, thread) => store(() => rows.remove({ account, kind: 'thread', ref: thread })),
  };
}

function countOf(about: About): Count {
  const { account, thread } = about;
  return thread === undefined ? newHandoffs(about) : { account, kind: 'thread', ref: thread };
}

function newHandoffs({ account, peer }: About): Count {
  return { account, kind: 'peer', ref: peer };
}
