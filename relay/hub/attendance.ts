import type { AgentId } from '../store/ports.ts';
import type { Presence } from './presence.ts';

/** The presence of those who come and go at short intervals, as a worker does between two calls. */
export interface Attendance {
  /** As that of Presence, but who leaves stays connected for a while. */
  enter(agent: AgentId): () => void;
  /** Everybody leaves at once. */
  close(): void;
}

/** @param lingerMs how long that is, milliseconds */
export function createAttendance(presence: Presence, lingerMs: number): Attendance {
  /** Those who have left and are still there, and how they leave for good. */
  const lingering = new Map<NodeJS.Timeout, () => void>();
  return {
    enter(agent) {
      const leave = presence.enter(agent);
      return () => {
        const timer = setTimeout(() => {
          lingering.delete(timer);
          leave();
        }, lingerMs);
        lingering.set(timer, leave);
      };
    },
    close() {
      for (const [timer, leave] of lingering) {
        clearTimeout(timer);
        leave();
      }
      lingering.clear();
    },
  };
}
