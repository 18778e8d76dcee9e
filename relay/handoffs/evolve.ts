import { artifactType } from '../contract/artifact.ts';
import { assertNever } from '../contract/assert-never.ts';
import type { Message } from '../contract/a2a.ts';
import type {
  HandoffState,
  Party,
  ReceiptCursors,
  ReceiptEvent,
  StatusEvent,
  ThreadEvent,
} from '../contract/handoff.ts';
import { firstLine } from '../contract/one-line.ts';
import { readableTexts } from '../contract/readable-part.ts';
import type { AgentId, Chain, Handoff } from '../store/ports.ts';

/** What of a handoff no event carries: who it is between, and through whom it came. */
export interface Parties {
  readonly id: string;
  readonly contextId: string;
  readonly sender: AgentId;
  readonly recipient: AgentId;
  readonly chain?: Chain;
}

/** States of which a list says why. */
const NEEDS_REASON: ReadonlySet<HandoffState> = new Set(['declined', 'failed', 'cancelled']);

/** A type is the client's own to name; a list shows a few, in a word each. */
const TYPE_LENGTH = 64;
const MANY_TYPES = 32;

const NO_RECEIPTS: ReceiptCursors = { offered: 0, surfaced: 0, acked: 0, held: false };

/** A handoff before its first event. */
export function blank(parties: Parties): Handoff {
  return {
    ...parties,
    state: 'pending',
    version: 0,
    summary: '',
    artifactTypes: [],
    bornLive: false,
    replyOnly: false,
    lastActor: 'sender',
    lastVersion: 0,
    receipts: { sender: NO_RECEIPTS, recipient: NO_RECEIPTS },
    createdAt: 0,
    updatedAt: 0,
    statusAt: 0,
  };
}

/** The snapshot after one more event. Pure: the stored snapshot is always the fold of the stored log. */
export function evolve(handoff: Handoff, event: ThreadEvent): Handoff {
  const base = { ...handoff, version: event.version };
  // a receipt is no news of the thread: it moves nothing up in a list
  if (event.kind === 'receipt') return { ...base, receipts: withReceipt(handoff, event) };
  const written = {
    ...base,
    updatedAt: event.at,
    lastActor: event.actor,
    lastVersion: event.version,
    receipts: withWriterCaughtUp(handoff, event),
  };
  switch (event.kind) {
    case 'created':
      return {
        ...written,
        summary: event.summary,
        ...(event.intent === undefined ? {} : { intent: event.intent }),
        artifactTypes: artifactTypes(event.message),
        bornLive: event.bornLive === true,
        createdAt: event.at,
        statusAt: event.at,
      };
    case 'message':
      return event.state === undefined ? written : { ...written, state: event.state, statusAt: event.at };
    case 'status': {
      const next = {
        ...written,
        state: event.state,
        // taking over work that is under way moves nothing
        statusAt: event.state === handoff.state ? handoff.statusAt : event.at,
        replyOnly: handoff.replyOnly || event.transition === 'reply_only',
      };
      const reason = NEEDS_REASON.has(event.state) ? reasonOf(event) : undefined;
      if (reason !== undefined) return { ...next, reason };
      const isTaken = event.transition === 'accept' || event.transition === 'take_over';
      return isTaken || event.sessionId !== undefined ? heldBy(next, event.sessionId) : next;
    }
    case 'artifact':
      return written;
    default:
      return assertNever(event);
  }
}

/** The snapshot that a whole log gives. */
export function replay(parties: Parties, events: readonly ThreadEvent[]): Handoff {
  return events.reduce(evolve, blank(parties));
}

/** In a line; what was said stands in for a reason that was not given. */
function reasonOf({ reason, message }: StatusEvent): string | undefined {
  return firstLine(reason ?? readableTexts(message?.parts ?? []).join('\n'));
}

/** A person in the window holds it without a session. */
function heldBy(handoff: Handoff, sessionId: string | undefined): Handoff {
  const { sessionId: _before, ...rest } = handoff;
  return sessionId === undefined ? rest : { ...rest, sessionId };
}

/** Who writes has seen what the other side wrote before: accepting and replying acknowledge it. */
function withWriterCaughtUp(handoff: Handoff, event: ThreadEvent): Handoff['receipts'] {
  if (event.actor === 'relay') return handoff.receipts;
  const seen = handoff.lastVersion;
  return {
    ...handoff.receipts,
    [event.actor]: { offered: seen, surfaced: seen, acked: seen, held: false },
  };
}

function withReceipt(handoff: Handoff, event: ReceiptEvent): Handoff['receipts'] {
  const side: Party = event.actor === 'sender' ? 'sender' : 'recipient';
  const now = handoff.receipts[side];
  return { ...handoff.receipts, [side]: advance(now, event) };
}

/** Cursors only grow. `held` is lifted by whatever shows that the message got through after all. */
function advance(now: ReceiptCursors, { state, upTo }: ReceiptEvent): ReceiptCursors {
  const offered = Math.max(now.offered, upTo);
  switch (state) {
    case 'offered':
      return { ...now, offered };
    case 'surfaced':
      return { ...now, offered, surfaced: Math.max(now.surfaced, upTo), held: false };
    case 'acked':
      return {
        offered,
        surfaced: Math.max(now.surfaced, upTo),
        acked: Math.max(now.acked, upTo),
        held: false,
      };
    case 'held':
      return { ...now, offered, held: true };
    default:
      return assertNever(state);
  }
}

function artifactTypes(message: Message): readonly string[] {
  const types = message.parts.map(artifactType).filter((type) => type !== undefined);
  return [...new Set(types.map((type) => type.slice(0, TYPE_LENGTH)))].slice(0, MANY_TYPES);
}
