import { describe, expect, it } from 'vitest';
import type { Account } from '../../../relay/contract/desk-api.ts';
import type { HandoffState, HandoffView } from '../../../relay/contract/handoff.ts';
import type { StateEntry } from '../../../relay/contract/thread.ts';
import type { Decision } from '../../../relay/contract/trust.ts';
import { accountWords, troubleOf } from '../../../renderer/words/account.ts';
import { artifactMarks, artifactWords, base64Bytes, sizeWords } from '../../../renderer/words/artifact.ts';
import { counted } from '../../../renderer/words/counted.ts';
import { blockedWords, dockHint, formWords, questionWords } from '../../../renderer/words/dock.ts';
import {
  arrivalWords,
  closedWords,
  rowLook,
  stateBadge,
  stateName,
  stateWords,
} from '../../../renderer/words/handoff.ts';
import { authorName, isAgent, receiptWords, stepWords } from '../../../renderer/words/thread.ts';
import { HOSTILE_STRINGS } from '../../support/hostile-corpus.ts';
import { rawDangers } from '../../support/raw-dangers.ts';
import { account, away, heldItem, item, NONE, UNKNOWN, UNUSABLE } from './samples.ts';

const STATES = ['pending', 'accepted', 'input_required', 'completed', 'failed', 'declined', 'cancelled'] as const;
const sent = (over: Partial<HandoffView> = {}): ReturnType<typeof item> =>
  item({ role: 'sender', sender: 'alice@acme', recipient: 'frank@acme', ...over }, { group: 'waiting' });
const NOON = Date.UTC(2026, 4, 12, 12);
const says = (row: ReturnType<typeof item>, absence?: ReturnType<typeof away>): string =>
  stateWords(row, absence, NOON, 'UTC');
const reached = (over: Partial<HandoffView['receipts']['recipient']>, absence?: ReturnType<typeof away>): string =>
  says(sent({ last_version: 2, receipts: { sender: NONE, recipient: { ...NONE, ...over } } }), absence);

describe('the second line of a row', () => {
  it('says what the sender of a new handoff wants', () => {
    const wants = (intent?: HandoffView['intent']): string => says(item(intent === undefined ? {} : { intent }));
    expect(wants('propose_action')).toBe('proposes an action');
    expect(wants('ask_question')).toBe('asks a question');
    expect(wants('inform')).toBe('informs you');
    expect(wants()).toBe('hands this to you');
  });

  it('says what became of what was received', () => {
    expect(STATES.slice(1).map((state) => says(item({ state })))).toEqual([
      'you accepted, working',
      'you asked, no answer yet',
      'you completed it',
      'you reported failure',
      'you declined',
      'cancelled it',
    ]);
    expect(says(item({ last_actor: 'recipient' }))).toBe('you replied, not accepted yet');
  });

  it('says what became of what was sent', () => {
    expect(STATES.slice(1).map((state) => says(sent({ state })))).toEqual([
      'accepted, working',
      'asks you',
      'completed',
      'failed',
      'declined',
      'you cancelled',
    ]);
  });

  it('says when there is something to read', () => {
    const unread = (over: Partial<HandoffView>): string => says({ ...item(over), unread: true });
    expect(unread({ state: 'accepted', last_actor: 'sender' })).toBe('wrote a message');
    expect(unread({ state: 'input_required', last_actor: 'sender' })).toBe('wrote a message');
    expect(unread({ state: 'accepted', last_actor: 'recipient', role: 'sender' })).toBe('wrote a message');
    expect(unread({ last_actor: 'recipient', role: 'sender' })).toBe('wrote a message, not accepted yet');
  });

  it('says when the relay gave up', () => {
    expect(says(sent({ state: 'failed', last_actor: 'relay' }))).toBe('failed, the relay gave up');
    expect(says(item({ state: 'failed', last_actor: 'relay' }))).toBe('failed, the relay gave up');
  });

  it('says how far something has got that waits, and no more than is known', () => {
    expect(reached({})).toBe('queued');
    expect(reached({ offered: 2 })).toBe('offered, not shown yet');
    expect(reached({ offered: 2, surfaced: 2 })).toBe('shown, not answered yet');
    expect(reached({ offered: 2, surfaced: 2, acked: 2 })).toBe('acked, not accepted yet');
    expect(reached({ offered: 1, surfaced: 1, acked: 1 })).toBe('queued');
    expect(reached({ offered: 2, held: true })).toBe('held; a person there decides');
  });

  it('says why something is queued, and since when where that is known', () => {
    expect(reached({}, away({ since: Date.UTC(2026, 4, 12, 8, 40) }))).toBe('queued, offline since 08:40');
    expect(reached({}, away())).toBe('queued, not connected');
    // what has arrived there waits for something else
    expect(reached({ offered: 2 }, away())).toBe('offered, not shown yet');
    expect(says(item(), away())).toBe('hands this to you');
  });
});

describe('what our rules hold', () => {
  it('says so in its row, with the line, whatever it is', () => {
    expect(says(heldItem({ intent: 'ask_question' }))).toBe('held by trust.yaml line 14');
    expect(says(heldItem({}, { ...UNKNOWN, action: 'reject' }))).toBe('rejected by trust.yaml line 14');
    expect(says(heldItem({ state: 'accepted' }, UNUSABLE))).toBe('held, trust.yaml cannot be used');
  });

  it('has the look of it, open or not', () => {
    const look = { icon: 'held', tone: 'held' };
    for (const one of [heldItem(), heldItem({ state: 'accepted' }, UNUSABLE)]) {
      expect(rowLook(one)).toEqual(look);
      expect(stateBadge(one)).toEqual({ ...look, text: 'Held' });
    }
  });
});

describe('glyphs and badges', () => {
  it('show what needs the reader before anything else', () => {
    expect(rowLook(item())).toEqual({ icon: 'needs', tone: 'needs' });
    expect(rowLook({ ...sent({ state: 'input_required' }), group: 'needs_you' })).toEqual({
      icon: 'needs',
      tone: 'needs',
    });
  });

  it('have a shape for every state', () => {
    expect(STATES.map((state) => rowLook(sent({ state })).icon)).toEqual([
      'queued',
      'working',
      'queued',
      'done',
      'failed',
      'declined',
      'declined',
    ]);
    const held = { sender: NONE, recipient: { ...NONE, held: true } };
    expect(rowLook(sent({ receipts: held }))).toEqual({ icon: 'held', tone: 'held' });
  });

  it('come with a word', () => {
    expect(stateBadge(item())).toEqual({ icon: 'needs', tone: 'needs', text: 'Pending' });
    expect(stateBadge(sent({ state: 'accepted' }))).toEqual({ icon: 'working', tone: 'working', text: 'Accepted' });
    expect(stateName({ state: 'input_required', role: 'sender' })).toBe('Waits for your answer');
    expect(stateName({ state: 'input_required', role: 'recipient' })).toBe('Waits for an answer');
  });

  it('have a different word for every state', () => {
    expect(new Set(STATES.map((state) => stateName({ state, role: 'sender' }))).size).toBe(STATES.length);
  });
});

describe('a closed thread', () => {
  it('says who closed it', () => {
    expect(closedWords(item({ state: 'completed' }))).toBe('You completed this. It is read-only now.');
    expect(closedWords(sent({ state: 'completed' }))).toBe('frank@acme completed this. It is read-only now.');
    expect(closedWords(item({ state: 'cancelled' }))).toBe('frank@acme cancelled this. It is read-only now.');
    expect(closedWords(sent({ state: 'cancelled' }))).toBe('You cancelled this. It is read-only now.');
    expect(closedWords(item({ state: 'declined' }))).toContain('You declined');
    expect(closedWords(sent({ state: 'declined' }))).toContain('frank@acme declined');
    expect(closedWords(item({ state: 'failed' }))).toContain('You reported');
    expect(closedWords(sent({ state: 'failed' }))).toContain('frank@acme reported');
    expect(closedWords(sent({ state: 'failed', last_actor: 'relay' }))).toContain('The relay gave up');
  });

  it('says nothing while it is open', () => {
    const open: readonly HandoffState[] = ['pending', 'accepted', 'input_required'];
    expect(open.map((state) => closedWords(item({ state })))).toEqual(['', '', '']);
  });
});

describe('what a screen reader hears of an arrival', () => {
  it('is who, what and about what', () => {
    expect(arrivalWords(item({ intent: 'ask_question' }))).toBe(
      'frank@acme asks a question: Rate limiter returns 500 instead of 429',
    );
  });

  it('hides nothing, whatever the subject', () => {
    for (const summary of HOSTILE_STRINGS) expect(rawDangers(arrivalWords(item({ summary })))).toEqual([]);
  });
});

describe('authors', () => {
  it('have names, and programs are told from people', () => {
    const authors = ['human', 'claude-code', 'codex', 'cli', 'a2a'] as const;
    expect(authors.map(authorName)).toEqual(['human', 'Claude Code', 'Codex', 'command line', 'A2A agent']);
    expect(authors.map(isAgent)).toEqual([false, true, true, false, true]);
  });
});

describe('steps', () => {
  const entry = (step: StateEntry['step'], own: boolean, actor: StateEntry['actor'] = 'recipient'): StateEntry => ({
    kind: 'state',
    version: 2,
    actor,
    author: 'human',
    at: 0,
    own,
    state: 'accepted',
    step,
  });

  it('say who took them', () => {
    expect(stepWords(entry('accept', true), 'frank@acme')).toBe('You accepted');
    expect(stepWords(entry('accept', false), 'frank@acme')).toBe('frank@acme accepted');
    expect(stepWords(entry('give_up', false, 'relay'), 'frank@acme')).toBe('The relay gave up');
    expect(stepWords(entry('ask', true), 'frank@acme')).toBe('You asked, and wait for the answer');
    expect(stepWords(entry('ask', false), 'frank@acme')).toBe('frank@acme asked, and waits for your answer');
  });

  it('all have words of their own', () => {
    const steps = [
      'accept',
      'take_over',
      'ask',
      'answer',
      'complete',
      'reply_only',
      'fail',
      'give_up',
      'decline',
      'cancel',
    ] as const;
    expect(new Set(steps.map((step) => stepWords(entry(step, true), 'frank@acme'))).size).toBe(steps.length);
  });
});

describe('receipts', () => {
  const at = Date.UTC(2026, 4, 12, 9, 21);

  it('say how far something has got, when, and who said so', () => {
    expect(receiptWords({ state: 'queued' }, 'frank@acme', NOON, undefined, 'UTC')).toBe('Queued');
    expect(receiptWords({ state: 'offered', at }, 'frank@acme', NOON, undefined, 'UTC')).toBe(
      'Offered at 09:21, not shown yet',
    );
    expect(receiptWords({ state: 'surfaced', at, label: 'Codex in web/' }, 'frank@acme', NOON, undefined, 'UTC')).toBe(
      'Shown at 09:21 by Codex in web/',
    );
    expect(receiptWords({ state: 'acked', at }, 'frank@acme', NOON, undefined, 'UTC')).toBe('Acked at 09:21');
    expect(receiptWords({ state: 'held', at }, 'frank@acme', NOON, undefined, 'UTC')).toBe(
      'Held by frank@acme; a person there decides',
    );
  });

  it('hide nothing, whatever the other side calls its session', () => {
    for (const label of HOSTILE_STRINGS)
      expect(rawDangers(receiptWords({ state: 'acked', at, label }, 'frank@acme', NOON))).toEqual([]);
  });

  it('say why something is queued, and when that ends', () => {
    const queued = (since?: number): string =>
      receiptWords({ state: 'queued' }, 'frank@acme', NOON, away(since === undefined ? {} : { since }), 'UTC');
    expect(queued(at)).toBe(
      'Queued. frank@acme has been offline since 09:21; it is delivered when frank@acme connects.',
    );
    expect(queued()).toBe('Queued. frank@acme is not connected; it is delivered when frank@acme connects.');
    expect(receiptWords({ state: 'acked', at }, 'frank@acme', NOON, away(), 'UTC')).toBe('Acked at 09:21');
  });
});

describe('an account', () => {
  const since = Date.UTC(2026, 4, 12, 9, 12);
  const now = Date.UTC(2026, 4, 12, 10);
  const trouble = (
    connection: Parameters<typeof troubleOf>[0]['connection'],
    accounts: readonly Account[],
    trust?: Decision,
  ): ReturnType<typeof troubleOf> => troubleOf({ connection, accounts, trust }, now, 'UTC');

  it('says how it stands with its relay, in a few words: why stands in the banner', () => {
    const words = (over: Parameters<typeof account>[0]): string =>
      accountWords({ state: 'open' }, account(over), now, 'UTC');
    expect(words({})).toBe('Connected');
    expect(words({ state: 'connecting' })).toBe('Connecting');
    expect(words({ state: 'offline', since, detail: 'refused' })).toBe('Offline since 09:12');
    expect(words({ state: 'key_revoked', since })).toBe('Key revoked');
  });

  it('says nothing of its relay while the desk itself is silent', () => {
    expect(accountWords({ state: 'lost', since }, account(), now, 'UTC')).toBe('No answer');
  });

  it('is no trouble while it is connected, or about to be', () => {
    expect(trouble({ state: 'open' }, [account(), account({ state: 'connecting' })])).toBeUndefined();
  });

  it('that is offline is told with the relay’s name, since when, and why', () => {
    const relay = account({ handle: 'mia@platform', state: 'offline', since, detail: 'refused' });
    const told = trouble({ state: 'open' }, [account(), relay]);
    expect(told?.what).toBe('platform has not answered since 09:12 (refused).');
    expect(told?.advice).toContain('You can read');
  });

  it('with a key that no longer counts says what to do', () => {
    expect(trouble({ state: 'open' }, [account({ state: 'key_revoked', since })])).toEqual({
      kind: 'connection',
      what: 'acme no longer takes the key of alice@acme.',
      advice: 'You can read what is here. Ask whoever runs that relay for a new key.',
    });
  });

  it('does not matter while the desk itself is silent', () => {
    const told = trouble({ state: 'lost', since }, [account({ state: 'offline', since })], UNUSABLE);
    expect(told?.what).toBe('AgentRelay has not answered since 09:12.');
    // it is started in more ways than one
    expect(told?.advice).toContain('start it again');
    expect(told?.advice).not.toContain('npm');
  });
});

describe('rules that cannot be used', () => {
  const sources = { connection: { state: 'open' }, accounts: [account()] } as const;

  it('are told above everything, with the line', () => {
    expect(troubleOf({ ...sources, trust: UNUSABLE }, NOON)).toEqual({
      kind: 'rules',
      what: 'trust.yaml cannot be used (line 3): everything is held.',
      advice: 'Mend the file, and everything goes on by its rules.',
    });
    expect(troubleOf({ ...sources, trust: UNKNOWN }, NOON)).toBeUndefined();
  });

  it('come after what stands in the way to a relay', () => {
    const accounts = [account({ state: 'offline' })];
    expect(troubleOf({ ...sources, accounts, trust: UNUSABLE }, NOON)?.kind).toBe('connection');
  });
});

describe('artifacts', () => {
  it('are named in one sentence', () => {
    expect(artifactWords([])).toBe('');
    expect(artifactWords(['file_diff'])).toBe('with a diff');
    expect(artifactWords(['file_diff', 'test_command'])).toBe('with a diff and a test command');
    expect(artifactWords(['file_diff', 'link', 'test_command'])).toBe('with a diff, a link and a test command');
  });

  it('of kinds that nobody knows are data, once', () => {
    expect(artifactWords(['quantum', 'toString', '__proto__'])).toBe('with data');
    expect(artifactMarks(['quantum', 'constructor'])).toEqual(['data']);
  });

  it('have a mark each, and never more than four', () => {
    expect(artifactMarks(['file_diff', 'test_command'])).toEqual(['diff', 'prompt']);
    expect(
      artifactMarks(['file_diff', 'file_ref', 'test_command', 'api_contract', 'link', 'test_result']),
    ).toHaveLength(4);
  });

  it('have a size that one can read', () => {
    expect([1, 14, 999, 1_000, 3_240, 14_000, 12_300_000, 2_000_000_000].map(sizeWords)).toEqual([
      '1 byte',
      '14 bytes',
      '999 bytes',
      '1.0 kB',
      '3.2 kB',
      '14 kB',
      '12 MB',
      '2.0 GB',
    ]);
  });

  it('are measured without being decoded', () => {
    for (const text of ['', 'a', 'ab', 'abc', 'abcd']) {
      expect(base64Bytes(Buffer.from(text).toString('base64'))).toBe(text.length);
    }
  });
});

describe('numbers', () => {
  it('go with their nouns', () => {
    expect([counted(0, 'line'), counted(1, 'line'), counted(1204, 'more line')]).toEqual([
      '0 lines',
      '1 line',
      '1,204 more lines',
    ]);
    expect(counted(2, 'entry', 'entries')).toBe('2 entries');
  });
});

describe('the dock', () => {
  it('names the other side in every form', () => {
    const modes = ['reply', 'decline', 'complete', 'ask', 'fail', 'cancel'] as const;
    for (const mode of modes) expect(formWords(mode, item()).label).toContain('frank@acme');
    expect(formWords('reply', item()).label).toBe('Reply to frank@acme');
  });

  it('calls the reply to a question an answer', () => {
    expect(formWords('reply', sent({ state: 'input_required' })).label).toBe('Answer frank@acme');
  });

  it('says what is good to know before one does something', () => {
    expect(dockHint(item())).toBe('Accept or reply, and frank@acme sees that you have it');
    expect(dockHint(item({ state: 'accepted' }))).toBe('');
    expect(dockHint(sent())).toBe('');
    expect(dockHint(sent({ state: 'accepted' }))).toBe('It was accepted. To stop it, ask in a message.');
  });

  it('says that accepting what is held changes no rule', () => {
    expect(dockHint(heldItem())).toBe('Accept takes on this one alone');
    expect(dockHint(heldItem({}, UNUSABLE))).toContain('Accept or reply');
  });

  it('says what a question is about before it is answered', () => {
    expect(questionWords('trust', 'mia@acme')).toEqual({
      question: 'Lists mia@acme in trust.yaml: from now on, all they send reaches you and your agents.',
      submit: 'Trust mia@acme',
      back: 'Back',
    });
    expect(questionWords('drop', 'mia@acme').question).toContain('the text is gone');
  });

  it('says why nothing can be done', () => {
    expect(blockedWords({ mode: 'reply' }, false)).toBe('');
    expect(blockedWords({ mode: 'reply' }, true)).toContain('does not answer');
    const pending = ['reply', 'release', 'trust', 'drop'] as const;
    expect(pending.map((act) => blockedWords({ mode: 'reply', pending: act }, true))).toEqual([
      'Sending',
      'Sending',
      'Adding',
      'Dropping',
    ]);
  });
});
