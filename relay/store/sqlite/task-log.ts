import type { AgentId, Commit, Committed, Decision, Scope, State, TaskLog } from '../ports.ts';
import type { Database } from './database.ts';
import { createGroupCommit } from './group-commit.ts';
import { createIdempotencyKeys } from './idempotency.ts';
import { createListReader } from './list-reader.ts';
import { toEvent, toHandoff, type EventRow, type TaskRow } from './rows.ts';
import { createTaskWriter } from './task-writer.ts';

export interface SqliteTaskLog extends TaskLog {
  close(): void;
}

/** The event log, the feeds and the snapshots, in SQLite. */
export function createTaskLog(db: Database, epoch: string): SqliteTaskLog {
  const writer = createTaskWriter(db);
  const list = createListReader(db);
  const listeners = new Set<(commits: readonly Commit[]) => void>();
  /** Newest feed number per agent, as committed. */
  const heads = new Map<AgentId, number>();
  /** What the open group has written so far; dropped with it when it fails. */
  let group: { commits: Commit[]; heads: Map<AgentId, number> } = { commits: [], heads: new Map() };

  const selectTask = db.prepare<[string], TaskRow>('SELECT * FROM task WHERE id = ?');
  const selectEvents = db.prepare<[number, number, number], EventRow>(
    `SELECT version, kind, actor, author, created_at, body FROM task_event
      WHERE task = ? AND version > ? ORDER BY version LIMIT ?`,
  );
  const selectFeed = db.prepare<
    [number, number, number],
    { seq: number; kind: 'handoff'; id: string; version: number }
  >(
    `SELECT f.seq, f.kind, t.id, f.version FROM feed f JOIN task t ON t.pk = f.task
      WHERE f.agent = ? AND f.seq > ? ORDER BY f.seq LIMIT ?`,
  );

  const commitGroup = createGroupCommit(db, {
    committed() {
      const { commits } = group;
      keys.committed();
      for (const [agent, newest] of group.heads) heads.set(agent, newest);
      group = { commits: [], heads: new Map() };
      if (commits.length > 0) for (const listener of listeners) listener(commits);
    },
    rolledBack() {
      keys.rolledBack();
      group = { commits: [], heads: new Map() };
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

  function write(pk: number, isNew: boolean, { handoff, events }: Decision): void {
    if (isNew) writer.insertTask(pk, handoff);
    else writer.updateTask(pk, handoff);
    const size = writer.appendEvents(pk, events);
    const feeds = [handoff.sender, handoff.recipient].map((agent) => ({ agent, firstSeq: head(agent) + 1 }));
    for (const { agent, firstSeq } of feeds) writer.appendFeed(agent, firstSeq, pk, events);
    // last, so that a write that fails, and is undone, leaves nothing behind here either
    for (const { agent, firstSeq } of feeds) group.heads.set(agent, firstSeq + events.length - 1);
    group.commits.push({ handoff, events, feeds, size });
  }

  function run({ taskId, once }: Scope, decide: (state: State) => Decision): Committed {
    const named = taskId === undefined ? undefined : writer.findTask(taskId);
    // a key is kept for a task: none for one that is not there
    const key = taskId === undefined || named !== undefined ? once : undefined;
    const earlier = key && keys.find(key.key);
    const task = earlier === undefined ? named : writer.taskAt(earlier.task);
    const decision = decide({ ...(task && { handoff: task.handoff }), ...(earlier && { earlier: earlier.digest }) });
    const pk = task?.pk ?? writer.nextPk();
    if (decision.events.length > 0) write(pk, task === undefined, decision);
    if (key !== undefined && earlier === undefined) keys.add(key, pk);
    return { handoff: decision.handoff, events: decision.events, replayed: decision.replayed === true };
  }

  return {
    epoch,
    transact: (scope, decide) => commitGroup.submit(() => run(scope, decide)),
    // async, so that what SQLite throws is a rejection
    async readHandoff(taskId) {
      const row = selectTask.get(taskId);
      return row && toHandoff(row);
    },
    async readTask(taskId, afterVersion, limit) {
      const row = selectTask.get(taskId);
      return row && { handoff: toHandoff(row), events: selectEvents.all(row.pk, afterVersion, limit).map(toEvent) };
    },
    async readFeed(agent, afterSeq, limit) {
      const rows = selectFeed.all(agent, afterSeq, limit);
      const entries = rows.map(({ seq, kind, id, version }) => ({ seq, kind, taskId: id, version }));
      return { entries, head: writer.feedHead(agent) };
    },
    list: async (query) => list(query),
    onCommit(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    close: () => {
      commitGroup.close();
    },
  };
}
