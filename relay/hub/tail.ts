import type { ThreadEvent } from '../contract/handoff.ts';
import type { Commit, Handoff } from '../store/ports.ts';

/** One event with the snapshot after the commit that brought it. */
export interface Step {
  /** At least as new as the event: it is the snapshot after the last event of the same commit. */
  readonly handoff: Handoff;
  readonly event: ThreadEvent;
}

export interface Tail {
  push(commits: readonly Commit[]): void;
  /**
   * The events of a task after `version`, oldest first, without a gap. undefined when the tail no longer reaches back
   * that far, and the store has to be read.
   */
  after(taskId: string, version: number): readonly Step[] | undefined;
}

/** What a tail holds at most. */
export interface TailLimits {
  readonly events: number;
  /** Of the events as they are stored: one may have a megabyte. */
  readonly characters: number;
}

/** The steps of a task, oldest first, each with its share of the characters of its commit. */
interface Steps {
  readonly steps: Step[];
  readonly sizes: number[];
}

/** The newest committed events, in memory, for all cursors together: a reader that keeps up never touches the store. */
export function createTail(limits: TailLimits): Tail {
  /** In the order of their newest commit. */
  const tasks = new Map<string, Steps>();
  let events = 0;
  let characters = 0;

  const isFull = (): boolean => events > limits.events || characters > limits.characters;

  /** Of the task that was quiet for longest, the oldest events first. */
  function forget(): void {
    for (const [taskId, { steps, sizes }] of tasks) {
      let dropped = 0;
      for (; isFull() && dropped < steps.length; dropped++) {
        events -= 1;
        characters -= sizes[dropped] ?? 0;
      }
      if (dropped === steps.length) tasks.delete(taskId);
      else {
        steps.splice(0, dropped);
        sizes.splice(0, dropped);
        return;
      }
    }
  }

  return {
    push(commits) {
      for (const { handoff, events: brought, size } of commits) {
        const known = tasks.get(handoff.id) ?? { steps: [], sizes: [] };
        tasks.delete(handoff.id);
        tasks.set(handoff.id, known);
        for (const event of brought) {
          known.steps.push({ handoff, event });
          known.sizes.push(size / brought.length);
        }
        events += brought.length;
        characters += size;
        if (isFull()) forget();
      }
    },
    after(taskId, version) {
      const steps = tasks.get(taskId)?.steps;
      const oldest = steps?.[0]?.event.version;
      if (steps === undefined || oldest === undefined || oldest > version + 1) return undefined;
      return steps.slice(version + 1 - oldest);
    },
  };
}
