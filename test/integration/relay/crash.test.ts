import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import Sqlite from 'better-sqlite3';
import { expect, onTestFailed, onTestFinished, test } from 'vitest';
import { createKey } from '../../../relay/identity/keys.ts';
import { createRelay } from '../../../relay/server.ts';
import { A2aClient } from '../../support/a2a-client.ts';
import type { KillOnWrite } from '../../support/kill-on-write.ts';
import { IS_LONG, PATIENCE_MS } from '../../support/long.ts';
import { startRelayProcess } from '../../support/relay-in-process.ts';
import { auditStore } from '../../support/store-audit.ts';
import { tempDir } from '../../support/temp-dir.ts';

/**
 * The relay is killed in the middle of its work, comes back, is killed again, and in the end completes it. What it has
 * answered is there; of the rest, all or nothing.
 */

const SENDS = 500;
/** Every so-many-th handoff gets a second message, and is accepted, as soon as it is there. */
const FOLLOW_UP_EVERY = 5;
const ACCEPT_EVERY = 7;
const LIVES = IS_LONG ? 10 : 1;
const KILLS_A_LIFE = IS_LONG ? 5 : 4;
/** `AGENTRELAY_SEED` repeats a run. */
const SEED = Number(process.env['AGENTRELAY_SEED'] ?? randomBytes(4).readUInt32BE());

const KILLER = new URL('../../support/kill-on-write.ts', import.meta.url);
const KEYS = { alice: createKey(randomBytes), frank: createKey(randomBytes) };

const random = mulberry32(SEED);
/** Each life is a list of deaths: at the how-manieth write to the log of the database, of which there are few. */
const lives = Array.from({ length: LIVES }, (_life, index) => ({
  index,
  deaths: Array.from({ length: KILLS_A_LIFE }, () => 1 + Math.floor(random() * 6)),
}));

test.each(lives)(
  'a relay that is killed again and again loses nothing that it answered, and leaves nothing half done (life $index)',
  async ({ deaths }) => {
    onTestFailed(() => void process.stderr.write(`\nAGENTRELAY_SEED=${SEED}: ${deaths.join()}\n`));
    const dataDir = tempDir();
    const file = join(dataDir, 'relay.db');
    const answers = new Answers();

    const left: number[] = [];
    for (const writes of deaths) {
      const { child, pid, url, exited } = await startRelayProcess(dataDir, KEYS);
      const killer = await killOnWrite({ dir: dataDir, file: 'relay.db-wal', pid, writes });
      const results = await work(clientsOf(url), answers, 'nothing');
      left.push(results.filter(({ status }) => status === 'rejected').length);
      // there may not have been so much left to write
      child.kill('SIGKILL');
      await Promise.all([exited, killer.terminate()]);
      expectSound(file, answers);
    }
    // it did die in the middle
    expect(Math.max(...left)).toBeGreaterThan(0);

    const relay = await createRelay({ dataDir, name: 'acme' });
    onTestFinished(() => relay.close());
    const url = await relay.listen({ host: '127.0.0.1', port: 0 });
    const results = await work(clientsOf(url), answers, 'everything');
    expect(results.filter(({ status }) => status === 'rejected')).toEqual([]);
    const { tasks, followUps, accepts } = expectSound(file, answers);
    expect([tasks.size, followUps.length, accepts.length]).toEqual([
      SENDS,
      Math.ceil(SENDS / FOLLOW_UP_EVERY),
      Math.ceil(SENDS / ACCEPT_EVERY),
    ]);
  },
  PATIENCE_MS,
);

/** Nothing is half there or there twice, and all that was ever answered is there. */
function expectSound(file: string, { tasks, followUps, accepts, contradictions }: Answers): Stored {
  expect(auditStore(file)).toEqual([]);
  const stored = readStored(file);
  expect(contradictions).toEqual([]);
  expect([...tasks].filter(([messageId, taskId]) => stored.tasks.get(messageId) !== taskId)).toEqual([]);
  expect([...followUps].filter((messageId) => !stored.followUps.includes(messageId))).toEqual([]);
  expect([...accepts].filter((taskId) => !stored.accepts.includes(taskId))).toEqual([]);
  for (const names of [stored.created, stored.followUps, stored.accepts]) {
    expect(new Set(names).size).toBe(names.length);
  }
  return stored;
}

/** What the clients have been told, by whichever process. */
class Answers {
  /** Message id to task id. */
  readonly tasks = new Map<string, string>();
  /** Message ids. */
  readonly followUps = new Set<string>();
  /** Task ids. */
  readonly accepts = new Set<string>();
  /** Sends that were answered with one task, and later with another. */
  readonly contradictions: string[] = [];

  noteTask(messageId: string, taskId: string): void {
    if (this.tasks.has(messageId) && this.tasks.get(messageId) !== taskId) this.contradictions.push(messageId);
    this.tasks.set(messageId, taskId);
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

/** What is to be done again of work that was answered before. */
type Again = 'nothing' | 'everything';

/** All of the work, at the same time. Ids are always the same, so that doing it again is a retry. */
function work(clients: Clients, answers: Answers, again: Again): Promise<readonly PromiseSettledResult<unknown>[]> {
  return Promise.allSettled(Array.from({ length: SENDS }, (_none, index) => handOver(clients, answers, again, index)));
}

async function handOver({ alice, frank }: Clients, answers: Answers, again: Again, index: number): Promise<void> {
  const messageId = `message-${index}`;
  const known = again === 'nothing' ? answers.tasks.get(messageId) : undefined;
  const taskId = known ?? (await send(alice, answers, messageId));
  await Promise.all([
    index % FOLLOW_UP_EVERY === 0 ? followUp(alice, answers, again, taskId, `more-${index}`) : undefined,
    index % ACCEPT_EVERY === 0 ? accept(frank, answers, again, taskId) : undefined,
  ]);
}

async function send(alice: A2aClient, answers: Answers, messageId: string): Promise<string> {
  const sent = await alice.call('SendMessage', { message: message(messageId) }, { at: '/a/frank' });
  if (!('task' in sent)) throw new Error('no task');
  answers.noteTask(messageId, sent.task.id);
  return sent.task.id;
}

async function followUp(
  alice: A2aClient,
  { followUps }: Answers,
  again: Again,
  taskId: string,
  messageId: string,
): Promise<void> {
  if (again === 'nothing' && followUps.has(messageId)) return;
  await alice.call('SendMessage', { message: { ...message(messageId), taskId } }, { at: '/a/frank' });
  followUps.add(messageId);
}

async function accept(frank: A2aClient, { accepts }: Answers, again: Again, taskId: string): Promise<void> {
  if (again === 'nothing' && accepts.has(taskId)) return;
  await frank.extension('tasks/update', { task_id: taskId, transition: 'accept', idempotency_key: 'accept' });
  accepts.add(taskId);
}

function message(messageId: string) {
  return { messageId, role: 'ROLE_USER', parts: [{ text: `text of ${messageId}` }] };
}

async function killOnWrite(what: KillOnWrite): Promise<Worker> {
  const worker = new Worker(KILLER, { workerData: what });
  await once(worker, 'message');
  return worker;
}

interface Stored {
  /** Message id to task id. */
  readonly tasks: ReadonlyMap<string, string>;
  /** Message ids of all first messages and of all others, and task ids of all acceptances: as often as they are there. */
  readonly created: readonly string[];
  readonly followUps: readonly string[];
  readonly accepts: readonly string[];
}

function readStored(file: string): Stored {
  const db = new Sqlite(file, { readonly: true });
  try {
    const rows = db
      .prepare<[], { id: string; kind: string; messageId: string }>(
        `SELECT t.id, e.kind, coalesce(e.body ->> '$.message.messageId', '') AS messageId
           FROM task_event e JOIN task t ON t.pk = e.task`,
      )
      .all();
    const of = (kind: string): typeof rows => rows.filter((row) => row.kind === kind);
    return {
      tasks: new Map(of('created').map(({ messageId, id }) => [messageId, id])),
      created: of('created').map(({ messageId }) => messageId),
      followUps: of('message').map(({ messageId }) => messageId),
      accepts: of('status').map(({ id }) => id),
    };
  } finally {
    db.close();
  }
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
