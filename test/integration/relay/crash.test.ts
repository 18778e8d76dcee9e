import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import { expect, onTestFailed, onTestFinished, test } from 'vitest';
import { createKey } from '../../../relay/identity/keys.ts';
import { createRelay } from '../../../relay/server.ts';
import { A2aClient } from '../../support/a2a-client.ts';
import { IS_LONG, PATIENCE_MS } from '../../support/long.ts';
import { auditStore } from '../../support/store-audit.ts';
import { tempDir } from '../../support/temp-dir.ts';

/** The relay is killed in the middle of its work. What it has answered is there; of the rest, all or nothing. */

const SENDS = 500;
/** Every so-many-th handoff gets a second message, and is accepted, as soon as it is there. */
const FOLLOW_UP_EVERY = 5;
const ACCEPT_EVERY = 7;
const KILLS = IS_LONG ? 50 : 8;
/** `AGENTRELAY_SEED` repeats a run. */
const SEED = Number(process.env['AGENTRELAY_SEED'] ?? randomBytes(4).readUInt32BE());

const PROCESS = fileURLToPath(new URL('../../support/relay-process.ts', import.meta.url));
const KEYS = { alice: createKey(randomBytes), frank: createKey(randomBytes) };

interface Kill {
  readonly index: number;
  /** After so many answers, and then so many turns of this process's event loop. */
  readonly answers: number;
  readonly turns: number;
}
const random = mulberry32(SEED);
const kills: readonly Kill[] = Array.from({ length: KILLS }, (_none, index) => ({
  index,
  answers: Math.floor(random() * SENDS),
  turns: Math.floor(random() * 12),
}));

test.each(kills)(
  'kill $index of a relay loses nothing that it answered, and leaves nothing half done',
  async (kill) => {
    onTestFailed(() => process.stderr.write(`\nAGENTRELAY_SEED=${SEED}, kill ${JSON.stringify(kill)}\n`));
    const dataDir = tempDir();
    const file = join(dataDir, 'relay.db');

    const first = await startProcess(dataDir);
    const answered = new Answers();
    const reached = answered.reach(kill.answers);
    const working = work(clientsOf(first.url), answered);
    await reached;
    for (let turns = 0; turns < kill.turns; turns++) await turn();
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    const outcomes = await working;
    // the kill came in the middle
    expect(outcomes.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0);

    expect(auditStore(file)).toEqual([]);
    const stored = readStored(file);
    expect(answered.tasks.size).toBeGreaterThanOrEqual(0);
    expect(missing(answered.tasks, stored.tasks)).toEqual([]);
    expect([...answered.followUps].filter((id) => stored.messages.get(id) !== 1)).toEqual([]);
    expect([...answered.accepts].filter((id) => stored.accepts.get(id) !== 1)).toEqual([]);
    expect(repeated(stored.created)).toEqual([]);

    const relay = await createRelay({ dataDir, name: 'acme' });
    onTestFinished(() => relay.close());
    const url = await relay.listen({ host: '127.0.0.1', port: 0 });
    const again = new Answers();
    const retried = await work(clientsOf(url), again);
    expect(retried.filter(({ status }) => status === 'rejected')).toEqual([]);

    expect(auditStore(file)).toEqual([]);
    const whole = readStored(file);
    expect(whole.created.size).toBe(SENDS);
    expect(repeated(whole.created)).toEqual([]);
    expect(repeated(whole.messages)).toEqual([]);
    expect(repeated(whole.accepts)).toEqual([]);
    expect([whole.messages.size, whole.accepts.size]).toEqual([
      Math.ceil(SENDS / FOLLOW_UP_EVERY),
      Math.ceil(SENDS / ACCEPT_EVERY),
    ]);
    // whoever was answered before is answered the same
    expect(missing(answered.tasks, again.tasks)).toEqual([]);
    expect(missing(again.tasks, whole.tasks)).toEqual([]);
  },
  PATIENCE_MS,
);

/** What the clients were told before the relay died. */
class Answers {
  /** Message id to task id. */
  readonly tasks = new Map<string, string>();
  /** Message ids. */
  readonly followUps = new Set<string>();
  /** Task ids. */
  readonly accepts = new Set<string>();
  #count = 0;
  #waiting: { readonly count: number; readonly resolve: () => void } | undefined;

  /** Resolves at so many answers. */
  reach(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting = { count, resolve };
      this.#tell();
    });
  }

  add(note: () => void): void {
    note();
    this.#count++;
    this.#tell();
  }

  #tell(): void {
    if (this.#waiting !== undefined && this.#count >= this.#waiting.count) this.#waiting.resolve();
  }
}

interface Clients {
  readonly alice: A2aClient;
  readonly frank: A2aClient;
}

function clientsOf(url: string): Clients {
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const client = (name: 'alice' | 'frank'): A2aClient =>
    new A2aClient({ url, apiKey: KEYS[name], handle: name, agent });
  return { alice: client('alice'), frank: client('frank') };
}

/** All of the work, at the same time. Ids are always the same, so doing it again is a retry. */
function work(clients: Clients, answers: Answers): Promise<readonly PromiseSettledResult<unknown>[]> {
  return Promise.allSettled(Array.from({ length: SENDS }, (_none, index) => handOver(clients, answers, index)));
}

async function handOver({ alice, frank }: Clients, answers: Answers, index: number): Promise<void> {
  const messageId = `message-${index}`;
  const sent = await alice.call('SendMessage', { message: message(messageId) }, { at: '/a/frank' });
  if (!('task' in sent)) throw new Error('no task');
  const { id: taskId } = sent.task;
  answers.add(() => answers.tasks.set(messageId, taskId));
  await Promise.all([
    index % FOLLOW_UP_EVERY === 0 ? followUp(alice, answers, taskId, index) : undefined,
    index % ACCEPT_EVERY === 0 ? accept(frank, answers, taskId) : undefined,
  ]);
}

async function followUp(alice: A2aClient, answers: Answers, taskId: string, index: number): Promise<void> {
  const messageId = `more-${index}`;
  await alice.call('SendMessage', { message: { ...message(messageId), taskId } }, { at: '/a/frank' });
  answers.add(() => answers.followUps.add(messageId));
}

async function accept(frank: A2aClient, answers: Answers, taskId: string): Promise<void> {
  await frank.extension('tasks/update', { task_id: taskId, transition: 'accept', idempotency_key: 'accept' });
  answers.add(() => answers.accepts.add(taskId));
}

function message(messageId: string) {
  return { messageId, role: 'ROLE_USER', parts: [{ text: `text of ${messageId}` }] };
}

async function startProcess(dataDir: string): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const agents = Object.entries(KEYS).map(([name, key]) => `${name}=${key}`);
  const child = spawn(process.execPath, [PROCESS, dataDir, ...agents], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  for await (const url of createInterface({ input: child.stdout })) return { child, url };
  throw new Error('the relay did not start');
}

interface Stored {
  /** Message id to task id. */
  readonly tasks: ReadonlyMap<string, string>;
  /** How often each is there: created handoffs and further messages by message id, accepts by task id. */
  readonly created: ReadonlyMap<string, number>;
  readonly messages: ReadonlyMap<string, number>;
  readonly accepts: ReadonlyMap<string, number>;
}

function readStored(file: string): Stored {
  const db = new Sqlite(file, { readonly: true });
  try {
    const rows = db
      .prepare<[], { id: string; kind: string; message: string | null }>(
        `SELECT t.id, e.kind, e.body ->> '$.message.messageId' AS message
           FROM task_event e JOIN task t ON t.pk = e.task`,
      )
      .all();
    const of = (kind: string): typeof rows => rows.filter((row) => row.kind === kind);
    return {
      tasks: new Map(of('created').map(({ id, message: messageId }) => [messageId ?? '', id])),
      created: count(of('created').map(({ message: messageId }) => messageId ?? '')),
      messages: count(of('message').map(({ message: messageId }) => messageId ?? '')),
      accepts: count(of('status').map(({ id }) => id)),
    };
  } finally {
    db.close();
  }
}

function count(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function repeated(counts: ReadonlyMap<string, number>): readonly string[] {
  return [...counts].filter(([, n]) => n > 1).map(([name]) => name);
}

/** What of `told` is not so in `found`. */
function missing(told: ReadonlyMap<string, string>, found: ReadonlyMap<string, string>): readonly string[] {
  return [...told].filter(([key, value]) => found.get(key) !== value).map(([key]) => key);
}

/** A small generator of random numbers in [0, 1) that a seed determines. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
