import { z } from 'zod';
import { assertNever } from '../../../relay/contract/assert-never.ts';
import type { AuditAction, AuditActor, AuditEntry } from '../../../relay/contract/audit.ts';
import type { InboxItem } from '../../../relay/contract/desk-api.ts';
import { handoffStateSchema, type HandoffState, type ThreadEvent } from '../../../relay/contract/handoff.ts';
import type { Change } from '../catch-up.ts';
import type { Audit } from './audit.ts';

/** Writes down that handoffs came and went, and each of their steps: once, however often they are told. */
export interface HandoffNotes {
  /** An event of a thread. */
  changed(change: Change): void;
  /** Everything that there is, listed anew: what happened while nobody listened is noted now. */
  listed(items: readonly InboxItem[]): void;
}

const ACTIONS: readonly AuditAction[] = ['handoff_sent', 'handoff_received', 'handoff_transition'];

/** How far a handoff has been noted. */
const notedSchema = z.object({ state: handoffStateSchema, version: z.int() });
type Noted = z.infer<typeof notedSchema>;

export function createHandoffNotes(audit: Pick<Audit, 'note' | 'newestAbout'>): HandoffNotes {
  const noted = new Map<string, Noted>();
  const keyOf = ({ account, task_id: id }: InboxItem): string => `${account} ${id}`;

  function lastNoted(item: InboxItem): Noted | undefined {
    const stored = (): unknown => audit.newestAbout(item.task_id, item.account, ACTIONS)?.detail;
    return noted.get(keyOf(item)) ?? notedSchema.safeParse(stored()).data;
  }

  function note(item: InboxItem, now: Noted, entry: Pick<AuditEntry, 'action' | 'actor' | 'detail'>): void {
    const { account, peer, task_id: ref } = item;
    noted.set(keyOf(item), now);
    audit.note({ ...entry, account, peer, ref, detail: { ...entry.detail, ...now } });
  }

  return {
    changed({ item, event }) {
      const state = stateAfter(event);
      if (state === undefined || event.version <= (lastNoted(item)?.version ?? 0)) return;
      const now = { state, version: event.version };
      const actor = actorOf(item, event);
      if (event.kind === 'created') {
        note(item, now, { action: arrival(item), actor });
        return;
      }
      const step = event.kind === 'status' ? event.transition : 'answer';
      note(item, now, { action: 'handoff_transition', actor, detail: { step } });
    },
    listed(items) {
      for (const item of items) {
        const { state, version } = item.handoff;
        const before = lastNoted(item);
        if (before?.state === state) continue;
        // who took which steps is in the thread; the list only says where they led
        const action = before === undefined ? arrival(item) : 'handoff_transition';
        note(item, { state, version }, { action, actor: 'desk', detail: { seen: 'in the list' } });
      }
    },
  };
}

function arrival({ handoff }: InboxItem): AuditAction {
  return handoff.role === 'sender' ? 'handoff_sent' : 'handoff_received';
}

/** Where an event leaves a handoff; undefined where it is no step. */
function stateAfter(event: ThreadEvent): HandoffState | undefined {
  switch (event.kind) {
    case 'created':
      return 'pending';
    case 'status':
    case 'message':
      return event.state;
    case 'artifact':
    case 'receipt':
      return undefined;
    default:
      return assertNever(event);
  }
}

function actorOf({ handoff }: InboxItem, { actor, author }: ThreadEvent): AuditActor {
  if (actor === 'relay') return 'relay';
  return actor === handoff.role ? author : 'peer';
}
