import { TERMINAL_STATES, type HandoffState, type ThreadEvent } from '../../contract/handoff.ts';
import { RelayError } from '../../contract/reasons.ts';
import type { AgentId, Commit, Committed, Decision, FeedEntry, Handoff, Scope, State, TaskLog } from '../ports.ts';
import { createStandings } from './contacts.ts';
import type { Database } from './database.ts';
import { createGroupCommit } from './group-commit.ts';
import { createIdempotencyKeys } from './idempotency.ts';
import { createLeaseWriter } from './leases.ts';
import { createListReader } from './list-reader.ts';
import { toEventBody, toHandoff, type TaskRow } from './rows.ts';
import { createTaskWriter, type StoredTask } from './task-writer.ts';
import { createThreadReader } from './thread-reader.ts';

export interface SqliteTaskLog extends TaskLog {
  /** Runs other work of the store in the next group of commits (relay/store/sqlite/group-commit.ts). */
  submit<T>(work: () => T): Promise<T>;
  /** Inside such work: a row in the feed of an agent that is about another one. */
  tell(agent: AgentId, about: AgentId): void;
  close(): void;
}

/** What an event counts beside its body. */
const EVENT_OVERHEAD = 100;
/** A thread is read in one piece by those who want all of it. */
const THREAD_SIZE = 16_000_000;
/** What a full thread still takes: its end, with a message of any size, steps without one, and receipts. */
const RESERVE = 4_000_000;

/**
 * The event log, the feeds and the snapshots, in SQLite.
 * @param threadSize the most characters that a thread may have
 * @param onGroup told how long each group of commands took to be stored
 */
export function createTaskLog(
  db: Database,
  epoch: string,
  threadSize = THREAD_SIZE,
  onGroup: (milliseconds: number) => void = () => undefined,
): SqliteTaskLog {
  const writer = createTaskWriter(db);
  const leases = createLeaseWriter(db);
  const list = createListReader(db);
  const thread = createThreadReader(db);
  const standing = createStandings(db);
  const listeners = new Set<(commits: readonly Commit[]) => void>();
  const newsListeners = new Set<(agents: readonly AgentId[]) => void>();
  /** Newest feed number per agent, as committed. */
  const heads = new Map<AgentId, number>();
  /** What the open group has written so far; dropped with it when it fails. */
  let group = emptyGroup();

  const selectTask = db.prepare<[string], TaskRow>('SELECT * FROM task WHERE id = ?');
  // the partial index of these alone: a walk over what is open
  const countByState = db.prepare<[], { state: HandoffState; n: number }>(
    'SELECT state, count(*) AS n FROM task INDEXED BY task_open WHERE closed = 0 GROUP BY state',
  );
  // those few first, and then by the index of recipients
  const selectAbandoned = db
    .prepare<[number], string>(
      `SELECT t.id FROM agent a CROSS JOIN task t ON t.recipient = a.id
        WHERE a.removed_at IS NOT NULL AND t.closed = 0 LIMIT ?`,
    )
    .pluck();
  const selectFeed = db.prepare<
    [number, number, number],
    { seq: number; task: number; id: string | null; version: number }
  >(
    `SELECT f.seq, f.task, t.id, f.version FROM feed f LEFT JOIN task t ON f.kind = 'handoff' AND t.pk = f.task
      WHERE f.agent = ? AND f.seq > ? ORDER BY f.seq LIMIT ?`,
  );

  const commitGroup = createGroupCommit(db, {
    measured: onGroup,
    committed() {
      const { commits, told } = group;
      keys.committed();
      for (const [agent, newest] of group.heads) heads.set(agent, newest);
      group = emptyGroup();
      if (commits.length > 0) for (const listener of listeners) listener(commits);
      if (told.length > 0) for (const listener of newsListeners) listener(told);
    },
    rolledBack() {
      keys.rolledBack();
      group = emptyGroup();
    },
  });

  const keys = createIdempotencyKeys(db, (work) => commitGroup.submit(work));

  function head(agent: AgentId): number {
    const known = group.heads.get(agent) ?? heads.get(agent);
    if (known !== undefined) return known;
    const stored = writer.feedHead(agent);
    heads.set(agent, stored);
    return stored;
  }

  function write(pk: number, before: StoredTask | undefined, { handoff, events }: Decision): void {
    const stored = events.map((event) => ({ event, body: toEventBody(event) }));
    const brought = stored.reduce((sum, { body }) => sum + body.length, 0);
    const size = (before?.size ?? 0) + brought + events.length * EVENT_OVERHEAD;
    refuseTooLarge(size, threadSize, handoff, events);
    if (before === undefined) writer.insertTask(pk, handoff, size);
    else writer.updateTask(pk, handoff, size);
    writer.appendEvents(pk, stored);
    const feeds = [handoff.sender, handoff.recipient].map((agent) => ({ agent, firstSeq: head(agent) + 1 }));
    for (const { agent, firstSeq } of feeds) writer.appendFeed(agent, firstSeq, pk, events);
    // last, so that a write that fails, and is undone, leaves nothing behind here either
    for (const { agent, firstSeq } of feeds) group.heads.set(agent, firstSeq + events.length - 1);
    group.commits.push({ handoff, events, feeds, size: brought });
  }

  function tell(agent: AgentId, about: AgentId): void {
    const seq = head(agent) + 1;
    writer.appendContact(agent, seq, about);
    group.heads.set(agent, seq);
    group.told.push(agent);
  }

  function run({ taskId, once, reaching }: Scope, decide: (state: State) => Decision): Committed {
    const named = taskId === undefined ? undefined : writer.findTask(taskId);
    // a key is kept for a task: none for one that is not there
    const key = taskId === undefined || named !== undefined ? once : undefined;
    const earlier = key && keys.find(key.key);
    const task = earlier === undefined ? named : writer.taskAt(earlier.task);
    // a worker holds its handoff by a session
    const lease = task?.handoff.sessionId === undefined ? undefined : leases.find(task.pk);
    const to = reaching && (reaching.to ?? (task && otherParty(task.handoff, reaching.from)));
    const decision = decide({
      ...(task && { handoff: task.handoff }),
      ...(earlier && { earlier: earlier.digest }),
      ...(lease && { lease }),
      ...(reaching !== undefined && to !== undefined && { standing: standing(reaching.from, to) }),
    });
    const pk = task?.pk ?? writer.nextPk();
    if (decision.events.length > 0) write(pk, task, decision);
    if (decision.lease !== undefined) leases.write(pk, decision.handoff.recipient, decision.lease);
    if (key !== undefined && earlier === undefined) keys.add(key, pk);
    return { handoff: decision.handoff, events: decision.events, replayed: decision.replayed === true };
  }

  return {
    epoch,
    submit: (work) => commitGroup.submit(work),
    tell,
    transact: (scope, decide) => commitGroup.submit(() => run(scope, decide)),
    // async, so that what SQLite throws is a rejection
    async readHandoff(taskId) {
      const row = selectTask.get(taskId);
      return row && toHandoff(row);
    },
    async taskUnderKey(key) {
      const earlier = keys.find(key);
      return earlier && writer.taskAt(earlier.task)?.handoff.id;
    },
    async readTask(taskId, afterVersion, limit) {
      const row = selectTask.get(taskId);
      return row && { handoff: toHandoff(row), ...thread.page(row.pk, afterVersion, limit) };
    },
    threadSize: async (taskId) => writer.findTask(taskId)?.size ?? 0,
    async readConversation(taskId, shown) {
      const row = selectTask.get(taskId);
      return row && { handoff: toHandoff(row), ...thread.conversation(row.pk, shown) };
    },
    async readFeed(agent, afterSeq, limit) {
      const rows = selectFeed.all(agent, afterSeq, limit);
      const entries = rows.map(({ seq, task, id, version }): FeedEntry =>
        id === null ? { seq, kind: 'contact', peer: task } : { seq, kind: 'handoff', taskId: id, version },
      );
      return { entries, head: writer.feedHead(agent) };
    },
    list: async (query) => list(query),
    // behind what was asked to be written before
    abandoned: (limit) => commitGroup.submit(() => selectAbandoned.all(limit)),
    countOpen: async () => Object.fromEntries(countByState.all().map(({ state, n }) => [state, n])),
    onCommit(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    onNews(listener) {
      newsListeners.add(listener);
      return () => {
        newsListeners.delete(listener);
      };
    },
    close: () => {
      commitGroup.close();
    },
  };
}

/** What a group of commits has written so far. */
interface Group {
  readonly commits: Commit[];
  readonly heads: Map<AgentId, number>;
  /** Whose feeds have something else than a handoff. */
  readonly told: AgentId[];
}

function emptyGroup(): Group {
  return { commits: [], heads: new Map(), told: [] };
}

function otherParty({ sender, recipient }: Handoff, agent: AgentId): AgentId {
  return sender === agent ? recipient : sender;
}

/** A thread that is full can still be taken up, ended, and acknowledged. */
function refuseTooLarge(size: number, most: number, { state }: Handoff, events: readonly ThreadEvent[]): void {
  const isLast =
    TERMINAL_STATES.has(state) ||
    events.every((event) => event.kind === 'receipt' || (event.kind === 'status' && event.message === undefined));
  if (size <= (isLast ? most + RESERVE : most)) return;
  throw new RelayError(
    'THREAD_TOO_LARGE',
    `This thread has ${Math.round(most / 1_000_000)} MB and takes no more. Complete it, and go on in a new handoff that refers to it (referenceTaskIds).`,
  );
}
