import { assertNever } from '../../relay/contract/assert-never.ts';
import type { Author } from '../../relay/contract/handoff.ts';
import type { OfflinePeer } from '../../relay/contract/desk-api.ts';
import { visibleLine } from '../../relay/contract/plain-text.ts';
import type { EntryReceipt, StateEntry } from '../../relay/contract/thread.ts';
import { clockTime } from './time.ts';

/** Which surface wrote something. */
export function authorName(author: Author): string {
  switch (author) {
    case 'human':
      return 'human';
    case 'claude-code':
      return 'Claude Code';
    case 'codex':
      return 'Codex';
    case 'cli':
      return 'command line';
    case 'a2a':
      return 'A2A agent';
    default:
      return assertNever(author);
  }
}

/** Whether a program wrote it: people are round, agents are square. */
export function isAgent(author: Author): boolean {
  return author === 'claude-code' || author === 'codex' || author === 'a2a';
}

/** A step in words, without its reason: "You declined". The reason is the other side's text and is set apart. */
export function stepWords(entry: StateEntry, peer: string): string {
  const who = entry.own ? 'You' : entry.actor === 'relay' ? 'The relay' : peer;
  switch (entry.step) {
    case 'accept':
      return `${who} accepted`;
    case 'take_over':
      return `${who} moved it to another session`;
    case 'ask':
      return entry.own ? 'You asked, and wait for the answer' : `${who} asked, and waits for your answer`;
    case 'answer':
      return `${who} answered, the work goes on`;
    case 'complete':
      return `${who} completed it`;
    case 'reply_only':
      return `${who} answered, and that completes it`;
    case 'fail':
      return `${who} reported failure`;
    case 'give_up':
      return `${who} gave up`;
    case 'decline':
      return `${who} declined`;
    case 'cancel':
      return `${who} cancelled it`;
    default:
      return assertNever(entry.step);
  }
}

/**
 * How far the other side has got with own words, and why it waits. It never says more than is known: what holds something
 * there is not told here.
 */
export function receiptWords(
  { state, at, label }: EntryReceipt,
  peer: string,
  now: number,
  absence?: OfflinePeer,
  zone?: string,
): string {
  const when = at === undefined ? '' : ` at ${clockTime(at, now, zone)}`;
  const by = label === undefined ? '' : ` by ${visibleLine(label)}`;
  switch (state) {
    case 'queued':
      return absence === undefined ? 'Queued' : `Queued. ${waitingFor(absence, now, zone)}`;
    case 'offered':
      return `Offered${when}, not shown yet`;
    case 'surfaced':
      return `Shown${when}${by}`;
    case 'acked':
      return `Acked${when}${by}`;
    case 'held':
      return `Held by ${peer}; a person there decides`;
    default:
      return assertNever(state);
  }
}

function waitingFor({ peer, since }: OfflinePeer, now: number, zone?: string): string {
  const why = since === undefined ? 'is not connected' : `has been offline since ${clockTime(since, now, zone)}`;
  return `${peer} ${why}; it is delivered when ${peer} connects.`;
}
