import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DESK_MIGRATIONS } from '../../../../main/desk/store/migrations/index.ts';
import { openDeskDb } from '../../../../main/desk/store/desk-db.ts';
import { AGENT_TURNS, type About } from '../../../../main/desk/turns/budget.ts';
import { createTurns, type Turns, type Write } from '../../../../main/desk/turns/turns.ts';
import type { Surface } from '../../../../relay/contract/desk-api.ts';
import { openDatabase, type Database } from '../../../../relay/store/sqlite/database.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const DAY = 86_400_000;
const thread: About = { account: 'frank@acme', peer: 'alice@acme', thread: 't1' };
const peer: About = { account: 'frank@acme', peer: 'alice@acme' };

interface Opened {
  readonly turns: Turns;
  readonly db: Database;
  readonly home: string;
  /** Lets time pass, milliseconds. */
  pass(time: number): void;
  close(): void;
}

/** The budget on a real file; what is left open is closed with the test. */
function open(home: string = tempDir()): Opened {
  let now = 1_000 * DAY;
  const { db, close } = openDeskDb(home, () => now);
  onTestFinished(close);
  return {
    turns: createTurns({ db, clock: () => now }),
    db,
    home,
    pass: (time) => {
      now += time;
    },
    close,
  };
}

let made = 0;
function write(about: About, more: Partial<Write> = {}): Write {
  return { ...about, surface: 'codex', key: `key ${++made}`, ...more };
}

/** An agent writes until it has to wait; how often it did. */
function exhaust(turns: Turns, about: About): number {
  let written = 0;
  while (turns.spend(write(about)).ok) written += 1;
  return written;
}

const WAITS = { ok: false, reason: expect.stringContaining('alice@acme') };

function rowsOf(db: Database): unknown {
  return db.prepare('SELECT count(*) FROM turns').pluck().get();
}

describe('an agent', () => {
  it.each([
    ['on a thread', thread],
    ['with new handoffs to a peer', peer],
  ])('%s writes as often as it may, and then waits for a person', (_where, about) => {
    const { turns } = open();
    expect(turns.left(about)).toBe(AGENT_TURNS);
    expect(turns.spend(write(about))).toEqual({ ok: true, left: AGENT_TURNS - 1 });
    expect(exhaust(turns, about)).toBe(AGENT_TURNS - 1);
    expect(turns.left(about)).toBe(0);
    expect(turns.spend(write(about, { surface: 'claude-code' }))).toEqual(WAITS);
  });

  it('is counted together with the others of the same account, whichever they are', () => {
    const { turns } = open();
    turns.spend(write(thread, { surface: 'codex' }));
    expect(turns.spend(write(thread, { surface: 'claude-code' }))).toEqual({ ok: true, left: AGENT_TURNS - 2 });
  });

  it('is counted for each thread, peer and account alone', () => {
    const { turns } = open();
    exhaust(turns, thread);
    const others: readonly About[] = [
      peer,
      { ...thread, thread: 't2' },
      { ...peer, peer: 'mia@acme' },
      { ...thread, account: 'mia@acme' },
      // a name is no id, and an id no name
      { ...peer, peer: 't1' },
      { ...thread, thread: 'alice@acme' },
    ];
    for (const about of others) expect([about, turns.left(about)]).toEqual([about, AGENT_TURNS]);
  });

  it('that repeats a write has it counted once, and let through at the end too', () => {
    const { turns } = open();
    const first = write(thread);
    expect(turns.spend(first)).toEqual({ ok: true, left: AGENT_TURNS - 1 });
    expect(turns.spend(first)).toEqual({ ok: true, left: AGENT_TURNS - 1 });
    exhaust(turns, thread);
    expect(turns.spend(first)).toEqual({ ok: true, left: 0 });
    expect(turns.spend(write(thread))).toEqual(WAITS);
  });

  it('that repeats what waits still waits', () => {
    const { turns } = open();
    exhaust(turns, thread);
    const waiting = write(thread);
    expect([turns.spend(waiting), turns.spend(waiting)]).toEqual([WAITS, WAITS]);
    turns.humanActed(thread);
    expect(turns.spend(waiting)).toEqual({ ok: true, left: AGENT_TURNS - 1 });
  });
});

describe('a person', () => {
  it.each(['human', 'cli'] as const)('who writes (%s) is never stopped, and lets the agent go on', (surface) => {
    const { turns } = open();
    exhaust(turns, thread);
    expect(turns.spend(write(thread, { surface }))).toEqual({ ok: true, left: AGENT_TURNS });
    expect(exhaust(turns, thread)).toBe(AGENT_TURNS);
  });

  it('who acts on a thread has looked at it and at the peer, and not at other threads', () => {
    const { turns } = open();
    const other = { ...thread, thread: 't2' };
    for (const about of [thread, peer, other]) exhaust(turns, about);
    turns.humanActed(thread);
    expect([thread, peer, other].map(turns.left)).toEqual([AGENT_TURNS, AGENT_TURNS, 0]);
  });

  it('who acts toward a peer has not looked at its threads', () => {
    const { turns } = open();
    for (const about of [thread, peer]) exhaust(turns, about);
    turns.humanActed(peer);
    expect([thread, peer].map(turns.left)).toEqual([0, AGENT_TURNS]);
  });
});

describe('what is kept', () => {
  it('survives a restart', () => {
    const { turns, home, close } = open();
    const first = write(thread);
    turns.spend(first);
    exhaust(turns, thread);
    close();
    const later = open(home).turns;
    expect(later.left(thread)).toBe(0);
    expect(later.spend(write(thread))).toEqual(WAITS);
    expect(later.spend(first)).toEqual({ ok: true, left: 0 });
  });

  it('is never more than an agent may write, and nothing of what waits or a person wrote', () => {
    const { turns, db } = open();
    exhaust(turns, thread);
    for (const _time of [1, 2, 3]) turns.spend(write(thread));
    expect(rowsOf(db)).toBe(AGENT_TURNS);
    turns.spend(write(thread, { surface: 'human' }));
    expect(rowsOf(db)).toBe(0);
  });

  it('is dropped with its thread', () => {
    const { turns, db } = open();
    for (const about of [thread, peer]) turns.spend(write(about));
    turns.threadClosed(thread.account, 't1');
    expect(rowsOf(db)).toBe(1);
    expect([turns.left(thread), turns.left(peer)]).toEqual([AGENT_TURNS, AGENT_TURNS - 1]);
  });

  it('is dropped as a whole 30 days after the last write', () => {
    const { turns, pass } = open();
    turns.spend(write(thread));
    pass(20 * DAY);
    turns.spend(write(thread));
    pass(29 * DAY);
    turns.spend(write(peer));
    expect(turns.left(thread)).toBe(AGENT_TURNS - 2);
    pass(2 * DAY);
    turns.spend(write(peer));
    expect([turns.left(thread), turns.left(peer)]).toEqual([AGENT_TURNS, AGENT_TURNS - 2]);
  });

  it('does not run out while the agent goes on trying', () => {
    const { turns, pass } = open();
    exhaust(turns, thread);
    for (let days = 0; days < 60; days += 5) {
      pass(5 * DAY);
      expect(turns.spend(write(thread))).toEqual(WAITS);
      // what begins elsewhere drops what is old
      turns.spend(write({ ...peer, peer: `ext-bot-${days}@acme` }));
    }
    expect(turns.left(thread)).toBe(0);
  });

  it('comes to a desk.db from before it without touching what is there', () => {
    const home = tempDir();
    const options = { file: join(home, 'desk.db'), backups: join(home, 'backups'), clock: () => 7 };
    const old = openDatabase({ ...options, migrations: DESK_MIGRATIONS.slice(0, 1) });
    old.exec("INSERT INTO audit VALUES (1, 1, 'app_started', 'desk', NULL, NULL, NULL, '{}', '', 'hash')");
    old.close();
    const { turns, db } = open(home);
    expect(db.prepare('SELECT hash FROM audit').pluck().get()).toBe('hash');
    expect(turns.left(thread)).toBe(AGENT_TURNS);
    expect(readdirSync(options.backups)[0]).toMatch(/^desk-schema-1-/);
  });
});

it('what cannot be counted is not to be sent', () => {
  const { turns, db } = open();
  db.pragma(`max_page_count = ${String(db.pragma('page_count', { simple: true }))}`);
  const long = 'k'.repeat(1_000);
  const fill = (): void => {
    for (let at = 0; at < AGENT_TURNS; at += 1) turns.spend(write(thread, { key: `${long}${at}` }));
  };
  expect(fill).toThrow(expect.objectContaining({ reason: 'STORAGE_FAILED' }));
  // and nothing else is broken by it
  const left = turns.left(thread);
  expect(left).toBeGreaterThan(0);
  turns.humanActed(thread);
  expect(turns.left(thread)).toBe(AGENT_TURNS);
});

const abouts: readonly About[] = [thread, peer, { ...thread, thread: 't2' }];
const step = fc.record({
  about: fc.constantFrom(...abouts),
  act: fc.oneof(
    { weight: 60, arbitrary: fc.constantFrom<Surface>('codex', 'claude-code') },
    { weight: 1, arbitrary: fc.constantFrom<Surface | 'looks' | 'restarts'>('human', 'cli', 'looks', 'restarts') },
  ),
  key: fc.integer({ min: 0, max: 200 }),
});

it('whatever comes in whatever order, agents write no more than they may between two acts of a person', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 100, maxLength: 160 }), (steps) => {
      const { db, close } = openDeskDb(tempDir(), () => 0);
      let turns = createTurns({ db, clock: () => 0 });
      /** What went through since a person acted, by our own count. */
      const sent = new Map<string, Set<number>>(abouts.map((about) => [nameOf(about), new Set()]));
      for (const { about, act, key } of steps) {
        const own = sent.get(nameOf(about)) ?? new Set();
        if (act === 'restarts') turns = createTurns({ db, clock: () => 0 });
        else if (act === 'looks') turns.humanActed(about);
        else {
          const isOver = own.size === AGENT_TURNS && !own.has(key);
          const { ok } = turns.spend({ ...about, surface: act, key: String(key) });
          expect(ok).toBe(act === 'human' || act === 'cli' || !isOver);
          if (ok) own.add(key);
        }
        if (act === 'human' || act === 'cli' || act === 'looks') {
          own.clear();
          sent.get(nameOf({ account: about.account, peer: about.peer }))?.clear();
        }
        expect(own.size).toBeLessThanOrEqual(AGENT_TURNS);
        expect(turns.left(about)).toBe(AGENT_TURNS - own.size);
      }
      close();
    }),
    { numRuns: 10 },
  );
});

function nameOf({ peer: to, thread: on }: About): string {
  return on ?? to;
}
