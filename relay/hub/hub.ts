import { evolve } from '../handoffs/evolve.ts';
import type { AgentId, Commit, FeedEntry, Handoff, TaskLog } from '../store/ports.ts';
import { createTail, type Step, type TailLimits } from './tail.ts';
import { createWaiters } from './waiters.ts';

/** Cursors over the log. A subscription is a position and a hint that there is more; nothing else is kept for it. */
export interface Hub {
  /**
   * The events of a handoff after the given snapshot, as they come, each with the snapshot that it makes. Together with
   * the snapshot they are complete: nothing is missed and nothing comes twice. Ends when the signal aborts.
   */
  follow(from: Handoff, signal: AbortSignal): AsyncGenerator<Step, void, void>;
  /** The same for those of whom there are many at once: it costs neither a generator nor a signal. */
  watch(from: Handoff): Watch;
  /** The rows of an agent's feed after a number, as they come. Ends when the signal aborts. */
  followFeed(agent: AgentId, afterSeq: number, signal: AbortSignal): AsyncGenerator<FeedEntry, void, void>;
  /** One event of a handoff, from memory where it is recent. */
  step(taskId: string, version: number): Promise<Step | undefined>;
  /** For tests and metrics: handoffs and feeds that somebody follows. */
  readonly waiting: number;
  close(): void;
}

/** A cursor that waits. */
export interface Watch {
  /** The steps that come next, one at least; none once it is closed. */
  next(): Promise<readonly Step[]>;
  /** Lets go of everything; idempotent. */
  close(): void;
}

export interface HubOptions {
  readonly log: TaskLog;
  /** How much of what is newest is kept in memory. */
  readonly tail?: TailLimits;
}

const READ_LIMIT = 256;
/** Parsed, an event may take twenty times the space of its characters. */
const TAIL: TailLimits = { events: 4096, characters: 4_000_000 };

export function createHub({ log, tail: limits = TAIL }: HubOptions): Hub {
  const tail = createTail(limits);
  const tasks = createWaiters<string>();
  const feeds = createWaiters<AgentId>();
  const forgetNews = log.onNews((agents) => {
    for (const agent of agents) feeds.wake(agent);
  });
  const forgetCommits = log.onCommit((commits: readonly Commit[]) => {
    tail.push(commits);
    for (const { handoff, feeds: touched } of commits) {
      tasks.wake(handoff.id);
      for (const { agent } of touched) feeds.wake(agent);
    }
  });

  function watch(from: Handoff): Watch {
    // before the first look, so that nothing falls between the two
    const news = tasks.listen(from.id);
    let handoff = from;
    let isOpen = true;
    const step = ({ event }: Step): Step => {
      handoff = evolve(handoff, event);
      return { handoff, event };
    };
    return {
      async next() {
        while (isOpen) {
          const steps = tail.after(handoff.id, handoff.version) ?? (await stored(handoff));
          if (steps.length > 0) return steps.map(step);
          await news.next();
        }
        return [];
      },
      close() {
        isOpen = false;
        news.close();
      },
    };
  }

  async function stored(handoff: Handoff): Promise<readonly Step[]> {
    const page = await log.readTask(handoff.id, handoff.version, READ_LIMIT);
    return page?.events.map((event) => ({ handoff: page.handoff, event })) ?? [];
  }

  return {
    async *follow(from, signal) {
      const cursor = watch(from);
      signal.addEventListener('abort', cursor.close);
      if (signal.aborted) cursor.close();
      try {
        for (let steps = await cursor.next(); steps.length > 0; steps = await cursor.next()) {
          for (const step of steps) {
            yield step;
            if (signal.aborted) return;
          }
        }
      } finally {
        signal.removeEventListener('abort', cursor.close);
        cursor.close();
      }
    },
    watch,
    async *followFeed(agent, afterSeq, signal) {
      const news = feeds.listen(agent, signal);
      let cursor = afterSeq;
      try {
        while (!signal.aborted) {
          const { entries } = await log.readFeed(agent, cursor, READ_LIMIT);
          if (entries.length === 0) await news.next();
          for (const entry of entries) {
            cursor = entry.seq;
            yield entry;
            if (signal.aborted) return;
          }
        }
      } finally {
        news.close();
      }
    },
    async step(taskId, version) {
      const recent = tail.after(taskId, version - 1)?.[0];
      if (recent !== undefined) return recent;
      const page = await log.readTask(taskId, version - 1, 1);
      const event = page?.events[0];
      return page && event && { handoff: page.handoff, event };
    },
    get waiting() {
      return tasks.size + feeds.size;
    },
    close() {
      forgetNews();
      forgetCommits();
    },
  };
}
