import { assertNever } from '../../relay/contract/assert-never.ts';
import type { EgressFinding, OutboxItem } from '../../relay/contract/outbox.ts';
import { counted } from './counted.ts';
import type { Look } from './handoff.ts';

/** The glyph of what waits, and its state in a word. */
export function outboxLook({ state }: Pick<OutboxItem, 'state'>): Look & { readonly text: string } {
  switch (state) {
    case 'needs_human':
      return { icon: 'needs', tone: 'needs', text: 'Needs you' };
    case 'returned':
      return { icon: 'failed', tone: 'failed', text: 'Came back' };
    case 'waiting_contact':
      return { icon: 'queued', tone: 'faint', text: 'Waits for them' };
    case 'waiting_relay':
      return { icon: 'queued', tone: 'held', text: 'Waits for the relay' };
    default:
      return assertNever(state);
  }
}

/**
 * Why it waits, behind the handle of the other side. `reason`: what the item says itself follows, since no other words do.
 */
export function outboxShortly({ state, findings }: Pick<OutboxItem, 'state' | 'findings'>): {
  readonly words: string;
  readonly reason: boolean;
} {
  switch (state) {
    case 'needs_human':
      return findings.length > 0
        ? { words: 'not sent, looks like a secret', reason: false }
        : { words: 'not sent', reason: true };
    case 'returned':
      return { words: 'came back', reason: true };
    case 'waiting_contact':
      return { words: 'has not accepted you yet', reason: false };
    case 'waiting_relay':
      return { words: 'waits for the relay', reason: false };
    default:
      return assertNever(state);
  }
}

/** What it is. */
export function kindWords({ kind }: Pick<OutboxItem, 'kind'>): string {
  switch (kind) {
    case 'handoff':
      return 'new handoff';
    case 'message':
      return 'message';
    case 'update':
      return 'step';
    default:
      return assertNever(kind);
  }
}

/** What stands for the whole of it where there is room for a line. Of a step without words, that is its name. */
export function firstLine({ text }: Pick<OutboxItem, 'text'>): string {
  return text.trimStart().split('\n', 1)[0] ?? '';
}

/** What the button does that sends it. */
export function releaseWords({ state }: Pick<OutboxItem, 'state'>): string {
  return state === 'needs_human' ? 'Send all the same' : 'Try again';
}

/** How many places are marked, of all that something was found in. */
export function findingsWords(findings: readonly EgressFinding[], marked: number): string {
  const all = counted(findings.length, 'place looks like a secret', 'places look like a secret');
  if (marked === 0) return all;
  return marked === findings.length ? `${all}, marked above` : `${all}, ${marked} of them marked above`;
}

/** What a thread says of what was written in it and waits. */
export function unsentWords(count: number): string {
  return count === 1 ? 'A message waits to be sent.' : `${count} messages wait to be sent. The first:`;
}

/** What is good to know before it is sent. */
export function outboxHint({ peer, findings }: Pick<OutboxItem, 'peer' | 'findings'>): string {
  return findings.length === 0 ? '' : `Sent, ${peer} sees all of it`;
}
