import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { artifactPart } from '../../../relay/contract/artifact.ts';
import type { ThreadEvent } from '../../../relay/contract/handoff.ts';
import { threadEntries, type ThreadEntry } from '../../../relay/contract/thread.ts';
import { chunk, created, receipt, said, step } from '../renderer/samples.ts';

const forAlice = (...events: ThreadEvent[]): readonly ThreadEntry[] => threadEntries(events, 'recipient');
const forFrank = (...events: ThreadEvent[]): readonly ThreadEntry[] => threadEntries(events, 'sender');
const kinds = (entries: readonly ThreadEntry[]): readonly string[] => entries.map(({ kind }) => kind);
const texts = (entry: ThreadEntry | undefined): readonly string[] => {
  if (entry === undefined || entry.kind === 'state') return [];
  const parts = entry.kind === 'message' ? entry.parts : entry.artifacts.flatMap(({ artifact }) => artifact.parts);
  return parts.flatMap((part) => ('text' in part ? [part.text] : []));
};
const words = (text: string): { messageId: string; role: 'ROLE_AGENT'; parts: { text: string }[] } => ({
  messageId: 'm',
  role: 'ROLE_AGENT',
  parts: [{ text }],
});

describe('messages', () => {
  it('come in relay order, with who wrote them and where', () => {
    expect(forAlice(created(), said(2), said(3, { actor: 'recipient', author: 'human' }))).toMatchObject([
      { kind: 'message', version: 1, actor: 'sender', author: 'codex', at: 1_000, own: false },
      { kind: 'message', version: 2, own: false },
      { kind: 'message', version: 3, author: 'human', own: true },
    ]);
  });

  it('keep their parts as they are: two texts are two paragraphs', () => {
    const parts = [{ text: 'one' }, { text: 'two' }, artifactPart({ type: 'test_command', command: 'npm test' })];
    const [entry] = forAlice(created({ message: { messageId: 'm1', role: 'ROLE_USER', parts } }));
    expect(entry).toMatchObject({ parts });
  });

  it('carry the proposed action of the first one', () => {
    const proposedAction = { description: 'Fail closed', target_files: ['src/limit.ts'], rationale: 'It is safer.' };
    expect(forAlice(created({ intent: 'propose_action', proposedAction }))[0]).toMatchObject({ proposedAction });
    expect(forAlice(created())[0]).not.toHaveProperty('proposedAction');
  });
});

describe('steps', () => {
  it('are told after the message that came with them', () => {
    const entries = forAlice(created(), step(2, 'complete', 'completed', { message: words('Done.') }));
    expect(entries.slice(1)).toMatchObject([
      { kind: 'message', version: 2, own: true },
      { kind: 'state', version: 2, state: 'completed', step: 'complete', own: true },
    ]);
  });

  it('carry their reason', () => {
    expect(forFrank(created(), step(2, 'decline', 'declined', { reason: 'after the release' }))[1]).toMatchObject({
      kind: 'state',
      step: 'decline',
      reason: 'after the release',
      own: false,
    });
  });

  it('do not say a reason twice that is the message as well', () => {
    const entries = forFrank(created(), step(2, 'decline', 'declined', { reason: 'no', message: words('no') }));
    expect(kinds(entries)).toEqual(['message', 'state']);
  });

  it('take what the relay says as the reason: it is no party to the talk', () => {
    const gave = step(3, 'give_up', 'failed', {
      actor: 'relay',
      author: 'a2a',
      message: words('The worker failed five times.'),
    });
    expect(forFrank(created(), step(2, 'accept', 'accepted'), gave).slice(2)).toMatchObject([
      { kind: 'state', step: 'give_up', reason: 'The worker failed five times.', own: false },
    ]);
  });

  it('that change nothing are not told: a second accept binds a session, and that is nobody else’s business', () => {
    const entries = forAlice(
      created(),
      step(2, 'accept', 'accepted'),
      step(3, 'accept', 'accepted', { sessionId: 's1' }),
    );
    expect(kinds(entries)).toEqual(['message', 'state']);
  });

  it('tell of a move to another session', () => {
    const entries = forAlice(created(), step(2, 'accept', 'accepted'), step(3, 'take_over', 'accepted'));
    expect(entries.at(-1)).toMatchObject({ kind: 'state', step: 'take_over' });
  });

  it('say that an answer lets the work go on', () => {
    const entries = forFrank(
      created(),
      step(2, 'accept', 'accepted'),
      step(3, 'ask', 'input_required', { message: words('By month or by tenant?') }),
      said(4, { state: 'accepted', author: 'human' }),
    );
    expect(kinds(entries)).toEqual(['message', 'state', 'message', 'state', 'message', 'state']);
    expect(entries.at(-1)).toMatchObject({ step: 'answer', state: 'accepted', own: true });
  });
});

describe('artifacts', () => {
  it('grow with their chunks, at the place of the first one', () => {
    const entries = forFrank(
      created(),
      step(2, 'accept', 'accepted'),
      chunk(3, 'reply', 'It ignores ', { append: false }),
      said(4, { author: 'human' }),
      chunk(5, 'reply', 'unknown types.'),
    );
    expect(kinds(entries)).toEqual(['message', 'state', 'artifacts', 'message']);
    expect(texts(entries[2])).toEqual(['It ignores unknown types.']);
    expect(entries[2]).toMatchObject({ version: 3, artifacts: [{ growing: true }] });
  });

  // with a copy of what is there for each chunk this would take a minute
  it('grow through a hundred thousand chunks, each acknowledged', () => {
    const events: ThreadEvent[] = [created()];
    while (events.length < 100_000) {
      events.push(chunk(events.length + 1, 'reply', 'word '));
      events.push(receipt(events.length + 1, 'offered', events.length, { actor: 'sender' }));
    }
    const entries = threadEntries(events, 'recipient');
    expect(entries).toHaveLength(2);
    expect(texts(entries[1])).toEqual(['word '.repeat(50_000)]);
    expect(entries[1]).toMatchObject({ receipt: { state: 'offered' } });
  });

  it('are whole with their last chunk', () => {
    const entries = forFrank(created(), chunk(2, 'reply', 'a'), chunk(3, 'reply', 'b', { lastChunk: true }));
    expect(entries[1]).toMatchObject({ artifacts: [{ growing: false }] });
    expect(texts(entries[1])).toEqual(['ab']);
  });

  it('are whole when the handoff ends, whether a last chunk came or not', () => {
    const entries = forFrank(created(), chunk(2, 'reply', 'a'), step(3, 'fail', 'failed'));
    expect(entries[1]).toMatchObject({ artifacts: [{ growing: false }] });
  });

  it('are replaced by what does not append', () => {
    const entries = forFrank(
      created(),
      chunk(2, 'reply', 'first try'),
      chunk(3, 'reply', 'second', { append: false, lastChunk: true }),
    );
    expect(texts(entries[1])).toEqual(['second']);
  });

  it('keep data and another kind of text apart', () => {
    const data = artifactPart({ type: 'link', url: 'https://example.com/' });
    const entries = forFrank(
      created(),
      chunk(2, 'r', 'a'),
      chunk(3, 'r', '', { artifact: { artifactId: 'r', parts: [data] } }),
      chunk(4, 'r', '', { artifact: { artifactId: 'r', parts: [{ text: '# b', mediaType: 'text/markdown' }] } }),
    );
    expect(entries[1]).toMatchObject({ artifacts: [{ artifact: { parts: [{ text: 'a' }, data, { text: '# b' }] } }] });
  });

  it('of one author that follow each other are one entry', () => {
    const entries = forFrank(
      created(),
      chunk(2, 'diff', 'a', { lastChunk: true }),
      chunk(3, 'result', 'b', { lastChunk: true }),
      chunk(4, 'other', 'c', { author: 'claude-code' }),
    );
    expect(kinds(entries)).toEqual(['message', 'artifacts', 'artifacts']);
    expect(texts(entries[1])).toEqual(['a', 'b']);
  });

  it('in whatever chunks, give the same text', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 20 }), (chunks) => {
        const events = chunks.map((text, index) => chunk(index + 2, 'reply', text, { append: index > 0 }));
        expect(texts(forFrank(created(), ...events)[1]).join('')).toBe(chunks.join(''));
      }),
    );
  });
});

describe('receipts', () => {
  const mine = said(2, { actor: 'recipient', author: 'human' });
  const receiptOf = (...events: ThreadEvent[]): unknown => {
    const entry = forAlice(created(), mine, ...events).find(({ version, kind }) => version === 2 && kind !== 'state');
    return entry !== undefined && entry.kind !== 'state' ? entry.receipt : undefined;
  };
  const theirs = { actor: 'sender', author: 'codex' } as const;

  it('are only with what one wrote oneself', () => {
    const [first, second] = forAlice(created(), mine);
    expect(first).not.toHaveProperty('receipt');
    expect(second).toHaveProperty('receipt');
  });

  it('say no more than is known', () => {
    expect(receiptOf()).toEqual({ state: 'queued' });
  });

  it('follow what the other side says', () => {
    const offered = receipt(3, 'offered', 2, theirs);
    const surfaced = receipt(4, 'surfaced', 2, { ...theirs, label: 'Codex in web/' });
    const acked = receipt(5, 'acked', 2, { ...theirs, label: 'Codex in web/' });
    expect(receiptOf(offered)).toEqual({ state: 'offered', at: 3_000 });
    expect(receiptOf(offered, surfaced)).toEqual({ state: 'surfaced', at: 4_000, label: 'Codex in web/' });
    expect(receiptOf(offered, surfaced, acked)).toEqual({ state: 'acked', at: 5_000, label: 'Codex in web/' });
  });

  it('name the first time, not the last', () => {
    expect(receiptOf(receipt(3, 'acked', 2, theirs), receipt(4, 'acked', 9, theirs))).toMatchObject({ at: 3_000 });
  });

  it('do not reach what was written later', () => {
    expect(receiptOf(receipt(3, 'acked', 1, theirs))).toEqual({ state: 'queued' });
  });

  it('do not come from one’s own reading', () => {
    expect(receiptOf(receipt(3, 'acked', 2))).toEqual({ state: 'queued' });
  });

  it('come with a reply: who writes has read', () => {
    expect(receiptOf(said(3))).toEqual({ state: 'acked', at: 3_000 });
  });

  it('do not come from the relay', () => {
    expect(receiptOf(step(3, 'give_up', 'failed', { actor: 'relay' }))).toEqual({ state: 'queued' });
  });

  it('say that it is held, until it is not', () => {
    const held = receipt(3, 'held', 2, theirs);
    expect(receiptOf(held)).toEqual({ state: 'held', at: 3_000 });
    expect(receiptOf(held, receipt(4, 'offered', 2, theirs))).toMatchObject({ state: 'held' });
    expect(receiptOf(held, receipt(4, 'surfaced', 2, theirs))).toMatchObject({ state: 'surfaced' });
  });

  it('of an artifact are those of its last chunk', () => {
    const events = [created(), chunk(2, 'reply', 'a'), receipt(3, 'acked', 2, theirs), chunk(4, 'reply', 'b')];
    expect(forAlice(...events)[1]).toMatchObject({ receipt: { state: 'queued' } });
  });
});

describe('any log', () => {
  const anyEvent = fc.oneof(
    fc
      .constantFrom<'sender' | 'recipient'>('sender', 'recipient')
      .map((actor) => (version: number) => said(version, { actor })),
    fc.constantFrom('a', 'b').map((id) => (version: number) => chunk(version, id, 'x')),
    fc.constant((version: number) => step(version, 'accept', 'accepted')),
    fc.constant((version: number) => receipt(version, 'acked', version - 1, { actor: 'sender' })),
  );
  const logs = fc
    .array(anyEvent, { maxLength: 25 })
    .map((makers) => [created(), ...makers.map((make, index) => make(index + 2))]);

  it('gives entries in order, each with its own name', () => {
    fc.assert(
      fc.property(logs, (log) => {
        const entries = threadEntries(log, 'recipient');
        const versions = entries.map(({ version }) => version);
        expect(versions).toEqual(versions.toSorted((a, b) => a - b));
        expect(new Set(entries.map(({ version, kind }) => `${version} ${kind}`)).size).toBe(entries.length);
      }),
    );
  });

  it('keeps every word, for either side', () => {
    fc.assert(
      fc.property(logs, fc.constantFrom<'sender' | 'recipient'>('sender', 'recipient'), (log, role) => {
        const written = log.filter(({ kind }) => kind === 'message' || kind === 'created').length;
        const chunks = log.filter(({ kind }) => kind === 'artifact').length;
        const entries = threadEntries(log, role);
        expect(entries.filter(({ kind }) => kind === 'message')).toHaveLength(written);
        expect(
          entries
            .filter(({ kind }) => kind === 'artifacts')
            .flatMap(texts)
            .join(''),
        ).toBe('x'.repeat(chunks));
      }),
    );
  });
});
