import type { Artifact, Message, Part } from './a2a.ts';
import { assertNever } from './assert-never.ts';
import { growArtifact, type GrowingArtifact } from './growing-artifact.ts';
import { readableTexts } from './readable-part.ts';
import {
  TERMINAL_STATES,
  type Actor,
  type ArtifactEvent,
  type Author,
  type HandoffState,
  type Party,
  type ProposedAction,
  type ReceiptState,
  type StatusEvent,
  type ThreadEvent,
  type Transition,
} from './handoff.ts';

/** How a thread reads: the log of a handoff folded into what a person looks at, for the window and the command line. */

/** How far the other side has got with an entry. `queued` is all that is known until it says more. */
export interface EntryReceipt {
  readonly state: 'queued' | ReceiptState;
  /** When it was said, milliseconds since the epoch; not for `queued`. */
  readonly at?: number;
  /** Who said it: "Codex in web/". */
  readonly label?: string;
}

interface EntryCommon {
  /** Version of the event that began the entry. Entries are ordered by it; with `kind` it is unique. */
  readonly version: number;
  readonly actor: Actor;
  readonly author: Author;
  /** Milliseconds since the epoch. Shown, never used for order. */
  readonly at: number;
  /** Written by the reader's own side. */
  readonly own: boolean;
}

/** Something that was said, with the parts that came along. */
export interface MessageEntry extends EntryCommon {
  readonly kind: 'message';
  readonly parts: readonly Part[];
  /** Only with the first message of a thread. */
  readonly proposedAction?: ProposedAction;
  /** Only with own entries. */
  readonly receipt?: EntryReceipt;
}

/** An artifact as far as it has arrived. */
export interface ShownArtifact {
  /** Its chunks are joined: text that goes on where the last chunk ended is one part. */
  readonly artifact: Artifact;
  /** More chunks are to come. */
  readonly growing: boolean;
}

/** What the recipient produced in one go. */
export interface ArtifactEntry extends EntryCommon {
  readonly kind: 'artifacts';
  readonly artifacts: readonly ShownArtifact[];
  readonly receipt?: EntryReceipt;
}

/** A step of the handoff. `answer` is a sender's message that lets the work go on; nobody asks for it by name. */
export interface StateEntry extends EntryCommon {
  readonly kind: 'state';
  readonly state: HandoffState;
  readonly step: Transition | 'give_up' | 'answer';
  readonly reason?: string;
}

export type ThreadEntry = MessageEntry | ArtifactEntry | StateEntry;

/**
 * The entries of a thread, in order.
 * @param events the whole log, or its beginning, by version
 * @param role the reader's side of the handoff
 */
export function threadEntries(events: readonly ThreadEvent[], role: Party): readonly ThreadEntry[] {
  const reach = receiptsOf(events, role);
  const entries: (ThreadEntry | Draft)[] = [];
  const drafts = new Map<string, Draft>();
  let state: HandoffState = 'pending';
  for (const event of events) {
    const common = commonOf(event, role);
    switch (event.kind) {
      case 'created':
        entries.push({
          ...messageEntry(common, event.message, reach),
          ...(event.proposedAction === undefined ? {} : { proposedAction: event.proposedAction }),
        });
        break;
      case 'message':
        entries.push(messageEntry(common, event.message, reach));
        if (event.state === undefined || event.state === state) break;
        state = event.state;
        entries.push({ ...common, kind: 'state', state, step: 'answer' });
        break;
      case 'status': {
        entries.push(...statusEntries(common, event, state, reach));
        state = event.state;
        break;
      }
      case 'artifact':
        addArtifact(entries, drafts, common, event, reach);
        break;
      case 'receipt':
        break;
      default:
        assertNever(event);
    }
  }
  // nothing grows after the end, whether its last chunk came or not
  const isOver = TERMINAL_STATES.has(state);
  return entries.map((entry) => (entry.kind === 'draft' ? finish(entry, isOver) : entry));
}

/** What the recipient produces in one go, while its chunks are put together. */
interface Draft {
  readonly kind: 'draft';
  /** Of the entry, with the receipt of the newest chunk: acknowledged is what was acknowledged to its end. */
  common: Omit<ArtifactEntry, 'kind' | 'artifacts'>;
  readonly artifacts: Map<string, GrowingArtifact>;
}

function finish({ common, artifacts }: Draft, isOver: boolean): ArtifactEntry {
  const shown = [...artifacts.values()].map((one) => ({
    artifact: one.artifact(),
    growing: one.isGrowing() && !isOver,
  }));
  return { ...common, kind: 'artifacts', artifacts: shown };
}

type Reach = (version: number) => EntryReceipt;

function commonOf({ version, actor, author, at }: ThreadEvent, role: Party): EntryCommon {
  return { version, actor, author, at, own: actor === role };
}

function receiptOf(common: EntryCommon, reach: Reach): { receipt?: EntryReceipt } {
  return common.own ? { receipt: reach(common.version) } : {};
}

function messageEntry(common: EntryCommon, message: Message, reach: Reach): MessageEntry {
  return { ...common, kind: 'message', parts: message.parts, ...receiptOf(common, reach) };
}

/** A step, after the message that came with it. One that changes nothing, such as a second accept, is not told. */
function statusEntries(
  common: EntryCommon,
  event: StatusEvent,
  before: HandoffState,
  reach: Reach,
): readonly ThreadEntry[] {
  const { message, state, transition } = event;
  const said = message === undefined ? '' : plainText(message.parts);
  // the relay is no party to the talk: what it says is the reason
  const reason = event.reason ?? (common.actor === 'relay' && said !== '' ? said : undefined);
  const speaks = message !== undefined && message.parts.length > 0 && said !== reason;
  const isStep = state !== before || transition === 'take_over';
  return [
    ...(speaks ? [messageEntry(common, message, reach)] : []),
    ...(isStep
      ? [{ ...common, kind: 'state' as const, state, step: transition, ...(reason === undefined ? {} : { reason }) }]
      : []),
  ];
}

/** Puts a chunk where the artifact's first one stands; a new artifact joins the entry before it, if that is the same author's. */
function addArtifact(
  entries: (ThreadEntry | Draft)[],
  drafts: Map<string, Draft>,
  common: EntryCommon,
  event: ArtifactEvent,
  reach: Reach,
): void {
  const id = event.artifact.artifactId;
  const known = drafts.get(id);
  if (known !== undefined) {
    known.artifacts.get(id)?.take(event);
    known.common = { ...known.common, ...receiptOf(common, reach) };
    return;
  }
  const last = entries.at(-1);
  const { actor, author } = common;
  let draft: Draft;
  if (last?.kind === 'draft' && last.common.actor === actor && last.common.author === author) {
    draft = last;
    draft.common = { ...draft.common, ...receiptOf(common, reach) };
  } else {
    draft = { kind: 'draft', common: { ...common, ...receiptOf(common, reach) }, artifacts: new Map() };
    entries.push(draft);
  }
  draft.artifacts.set(id, growArtifact(event, true));
  drafts.set(id, draft);
}

interface Said {
  readonly upTo: number;
  readonly receipt: EntryReceipt;
}

/**
 * What the other side has said of what was written up to a version. Whoever writes has acknowledged everything before
 * (docs/extension.md, Receipts).
 */
function receiptsOf(events: readonly ThreadEvent[], role: Party): Reach {
  const said: Readonly<Record<ReceiptState, Said[]>> = { offered: [], surfaced: [], acked: [], held: [] };
  const say = (state: ReceiptState, upTo: number, receipt: EntryReceipt): void => {
    // what reaches no further than something before it is nobody's first
    if (upTo > (said[state].at(-1)?.upTo ?? 0)) said[state].push({ upTo, receipt });
  };
  let held: EntryReceipt | undefined;
  let written = 0;
  for (const event of events) {
    const theirs = event.actor !== role && event.actor !== 'relay';
    if (event.kind !== 'receipt') {
      if (theirs && written > 0) {
        say('acked', written, { state: 'acked', at: event.at });
        held = undefined;
      }
      written = event.version;
    } else if (theirs) {
      const { state, upTo, at, label } = event;
      const receipt = { state, at, ...(label === undefined ? {} : { label }) };
      say(state, upTo, receipt);
      if (state === 'held') held = receipt;
      else if (state !== 'offered') held = undefined;
    }
  }
  const first = (state: ReceiptState, version: number): EntryReceipt | undefined =>
    firstThatReaches(said[state], version)?.receipt;
  return (version) =>
    first('acked', version) ?? first('surfaced', version) ?? held ?? first('offered', version) ?? { state: 'queued' };
}

/** @param said by rising `upTo` */
function firstThatReaches(said: readonly Said[], version: number): Said | undefined {
  let [from, to] = [0, said.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((said[middle]?.upTo ?? 0) >= version) to = middle;
    else from = middle + 1;
  }
  return said[from];
}

function plainText(parts: readonly Part[]): string {
  return readableTexts(parts).join('');
}
