import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EgressFinding, OutboxState } from '../../../relay/contract/outbox.ts';
import { isMarked, markFindings } from '../../../renderer/text/marked.ts';
import {
  findingsWords,
  firstLine,
  kindWords,
  outboxHint,
  outboxLook,
  outboxShortly,
  releaseWords,
  unsentWords,
} from '../../../renderer/words/outbox.ts';
import { unsent } from './samples.ts';

const STATES: readonly OutboxState[] = ['needs_human', 'returned', 'waiting_contact', 'waiting_relay'];

describe('what waits to be sent', () => {
  it('has a look and a word for every state', () => {
    expect(STATES.map((state) => outboxLook({ state }))).toEqual([
      { icon: 'needs', tone: 'needs', text: 'Needs you' },
      { icon: 'failed', tone: 'failed', text: 'Came back' },
      { icon: 'queued', tone: 'faint', text: 'Waits for them' },
      { icon: 'queued', tone: 'held', text: 'Waits for the relay' },
    ]);
  });

  it('says in its row why, and in its own words where no others do', () => {
    expect(STATES.map((state) => outboxShortly(unsent({ state })))).toEqual([
      { words: 'not sent, looks like a secret', reason: false },
      { words: 'came back', reason: true },
      { words: 'has not accepted you yet', reason: false },
      { words: 'waits for the relay', reason: false },
    ]);
    // agents that go round in circles
    expect(outboxShortly(unsent({ findings: [] }))).toEqual({ words: 'not sent', reason: true });
  });

  it('is known by its first line with something in it', () => {
    expect(firstLine({ text: '\n \nDeploy fails\nTOKEN=x' })).toBe('Deploy fails');
    expect(firstLine({ text: 'accept' })).toBe('accept');
    expect(firstLine({ text: '' })).toBe('');
  });

  it('says what it is, what the button does, and what is good to know', () => {
    expect((['handoff', 'message', 'update'] as const).map((kind) => kindWords({ kind }))).toEqual([
      'new handoff',
      'message',
      'step',
    ]);
    expect(STATES.map((state) => releaseWords({ state }))).toEqual([
      'Send all the same',
      'Try again',
      'Try again',
      'Try again',
    ]);
    expect(outboxHint(unsent())).toBe('Sent, frank@acme sees all of it');
    expect(outboxHint(unsent({ findings: [] }))).toBe('');
  });

  it('is counted in its thread', () => {
    expect([unsentWords(1), unsentWords(3)]).toEqual([
      'A message waits to be sent.',
      '3 messages wait to be sent. The first:',
    ]);
  });
});

const finding = (start: number, end: number, over: Partial<EgressFinding> = {}): EgressFinding => ({
  where: 'body',
  rule: 'github',
  start,
  end,
  masked: '…',
  ...over,
});
const marked = (text: string, ...findings: readonly EgressFinding[]): readonly string[] =>
  markFindings(text, findings).map((span) => (span.marked ? `[${span.text}]` : span.text));

describe('what looks like a secret', () => {
  it('is marked where it stands', () => {
    const { text, findings } = unsent();
    expect(marked(text, ...findings)).toEqual(['Deploy fails\nTOKEN=', '[ghp_0123456789]', '\nplease']);
    expect(marked('abc', finding(0, 3))).toEqual(['[abc]']);
    expect(marked('')).toEqual([]);
  });

  it('is one mark where two places overlap or touch, in whichever order they come', () => {
    expect(marked('abcdef', finding(3, 5), finding(1, 4))).toEqual(['a', '[bcde]', 'f']);
    expect(marked('abcdef', finding(1, 2), finding(2, 3))).toEqual(['a', '[bc]', 'def']);
    expect(marked('abcdef', finding(1, 5), finding(2, 3))).toEqual(['a', '[bcde]', 'f']);
  });

  it('is not marked in another text, behind the end of what is shown, or where nothing was looked through', () => {
    expect(isMarked(finding(1, 2, { where: 'artifacts[0].diff' }), 'abc')).toBe(false);
    expect(isMarked(finding(3, 9), 'abc')).toBe(false);
    expect(isMarked(finding(0, 3, { rule: 'too-large' }), 'abc')).toBe(false);
    expect(marked('abc', finding(2, 9))).toEqual(['ab', '[c]']);
  });

  it('never cuts a character in two', () => {
    expect(marked('a🔑b', finding(2, 3))).toEqual(['a', '[🔑]', 'b']);
    expect(marked('🔑🔑', finding(0, 1))).toEqual(['[🔑]', '🔑']);
  });

  it('leaves the text as it is, whatever the places', () => {
    const place = fc.tuple(fc.integer({ min: -5, max: 40 }), fc.integer({ min: -5, max: 40 }));
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 20 }), fc.array(place, { maxLength: 6 }), (text, places) => {
        const spans = markFindings(
          text,
          places.map(([start, end]) => finding(start, end)),
        );
        expect(spans.map((span) => span.text).join('')).toBe(text);
        for (const span of spans) expect(span.text.isWellFormed()).toBe(true);
        expect(spans.every(({ text: one }) => one !== '')).toBe(true);
      }),
    );
  });

  it('is counted, and said to be marked where it is', () => {
    const two = [finding(0, 1), finding(1, 2)];
    expect(findingsWords(two.slice(0, 1), 1)).toBe('1 place looks like a secret, marked above');
    expect(findingsWords(two, 1)).toBe('2 places look like a secret, 1 of them marked above');
    expect(findingsWords(two, 0)).toBe('2 places look like a secret');
  });
});
