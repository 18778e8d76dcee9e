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

/**
 * The newest committed events, in memory, for all cursors together: a reader that keeps up never touches the store.
 * @param capacity how many events are kept
 */
export function createTail(capacity: number): Tail {
  /** Steps of each task, oldest first. Tasks are in the order of their newest commit. */
  const tasks = new Map<string, Step[]>();
  let size = 0;

  function forget(): void {
    for (const [taskId, steps] of tasks) {
      if (size <= capacity) return;
      tasks.delete(taskId);
      size -= steps.length;
    }
  }

  return {
    push(commits) {
      for (const { handoff, events } of commits) {
        const steps = tasks.get(handoff.id) ?? [];
        tasks.delete(handoff.id);
        tasks.set(handoff.id, steps);
        for (const event of events) steps.push({ handoff, event });
        size += events.length;
        // one endless thread must not grow without end either
        if (steps.length > capacity) size -= steps.splice(0, steps.length - capacity).length;
      }
      forget();
    },
    after(taskId, version) {
      const steps = tasks.get(taskId);
      const oldest = steps?.[0]?.event.version;
      if (steps === undefined || oldest === undefined || oldest > version + 1) return undefined;
      return steps.slice(version + 1 - oldest);
    },
  };
}
