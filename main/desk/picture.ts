import type { InboxItem } from '../../relay/contract/desk-api.ts';
import type { InboxHandoff } from '../../relay/contract/event-schema.ts';
import { TERMINAL_STATES, type HandoffView } from '../../relay/contract/handoff.ts';

/**
 * What an account knows of its handoffs. Whatever the order in which the same things are told, and however often, the
 * picture is the same: the newest version of each handoff.
 */
export interface Picture {
  /** Forgets everything and holds these instead; so many more are closed, and not among them. */
  replace(views: Iterable<HandoffView>, moreClosed?: number): void;
  /** Takes in an event of a thread. The row as it is now, or undefined when the event was known. */
  take(frame: InboxHandoff): InboxItem | undefined;
  /** Takes in what an answer said of a handoff; its event is still to come. */
  learn(view: HandoffView): void;
  get(taskId: string): HandoffView | undefined;
  /** Every row, in no order. */
  items(): readonly InboxItem[];
  /** How many closed handoffs there are that it does not hold. */
  moreClosed(): number;
}

interface Known {
  readonly view: HandoffView;
  /** The newest event that was told: an answer may be ahead of it, and its events are news all the same. */
  readonly told: number;
}

/** @param rows makes rows of handoffs, by the rules as they are when it is called */
export function createPicture(rows: () => (view: HandoffView) => InboxItem): Picture {
  let known: Map<string, Known> = new Map();
  let moreClosed = 0;

  return {
    replace(views, more = 0) {
      known = new Map();
      moreClosed = more;
      for (const view of views) {
        const newest = newer(known.get(view.task_id)?.view, view);
        known.set(view.task_id, { view: newest, told: newest.version });
      }
    },
    take({ task_id: taskId, event, handoff }) {
      const before = known.get(taskId);
      const view = newer(before?.view, handoff);
      // one that was closed long ago is heard of again
      if (before === undefined && TERMINAL_STATES.has(handoff.state) && event.kind !== 'status') {
        moreClosed = Math.max(0, moreClosed - 1);
      }
      const isNews = before === undefined || event.version > before.told;
      known.set(taskId, { view, told: isNews ? event.version : before.told });
      return isNews ? rows()(view) : undefined;
    },
    learn(view) {
      const before = known.get(view.task_id);
      known.set(view.task_id, { view: newer(before?.view, view), told: before?.told ?? 0 });
    },
    get: (taskId) => known.get(taskId)?.view,
    moreClosed: () => moreClosed,
    items() {
      const toRow = rows();
      return [...known.values()].map(({ view }) => toRow(view));
    },
  };
}

function newer(before: HandoffView | undefined, now: HandoffView): HandoffView {
  return before !== undefined && before.version >= now.version ? before : now;
}
