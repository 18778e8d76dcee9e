import type { AgentId, DueLease, Lease, Leases, NextDue } from '../ports.ts';
import type { Database } from './database.ts';

interface LeaseRow {
  readonly worker: string;
  readonly running: number;
  readonly due_at: number;
  readonly number: number;
  readonly failures: number;
  readonly attempts: number;
  readonly since: number;
}
interface DueRow {
  readonly id: string;
  readonly agent: number;
  readonly running: number;
}

/** Reads and writes the leases of tasks by their row numbers, inside the transaction that the log holds open. */
export interface LeaseWriter {
  find(task: number): Lease | undefined;
  /** @param lease `over`: there is none any more */
  write(task: number, agent: AgentId, lease: Lease | 'over'): void;
}

export function createLeaseWriter(db: Database): LeaseWriter {
  const select = db.prepare<[number], LeaseRow>('SELECT * FROM lease WHERE task = ?');
  const replace = db.prepare(
    `INSERT OR REPLACE INTO lease (task, agent, worker, running, due_at, number, failures, attempts, since)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const remove = db.prepare('DELETE FROM lease WHERE task = ?');
  return {
    find(task) {
      const row = select.get(task);
      if (row === undefined) return undefined;
      const { worker, running, due_at: dueAt, number, failures, attempts, since } = row;
      return { worker, state: stateOf(running), dueAt, number, failures, attempts, since };
    },
    write(task, agent, lease) {
      if (lease === 'over') {
        remove.run(task);
        return;
      }
      const { worker, state, dueAt, number, failures, attempts, since } = lease;
      const isRunning = state === 'running' ? 1 : 0;
      replace.run(task, agent, worker, isRunning, dueAt, number, failures, attempts, since);
    },
  };
}

/** What of the leases is to be done next, in SQLite. */
export function createLeases(db: Database): Leases {
  const selectHeld = db.prepare<[number, string], { id: string }>(
    'SELECT t.id FROM lease l JOIN task t ON t.pk = l.task WHERE l.agent = ? AND l.running = 1 AND l.worker = ?',
  );
  // one in input_required waits for the sender, whatever its time
  const selectDue = db.prepare<[number, number], { id: string }>(
    `SELECT t.id FROM lease l JOIN task t ON t.pk = l.task
      WHERE l.agent = ? AND l.running = 0 AND l.due_at <= ? AND t.state = 'accepted' ORDER BY l.due_at LIMIT 1`,
  );
  const selectPending = db.prepare<[number], { id: string }>(
    `SELECT id FROM task WHERE recipient = ? AND closed = 0 AND state = 'pending' AND recipient_held = 0
      ORDER BY status_at, pk LIMIT 1`,
  );
  const due = 'SELECT t.id, l.agent, l.running FROM lease l JOIN task t ON t.pk = l.task';
  const selectOver = db.prepare<[number], DueRow>(`${due} WHERE l.running = 1 AND l.due_at <= ?`);
  const selectRipe = db.prepare<[number, number], DueRow>(
    `${due} WHERE l.running = 0 AND l.due_at > ? AND l.due_at <= ?`,
  );
  // the condition of the partial index
  const waits = 'running = 0 AND due_at > 0';
  const selectWaiting = db
    .prepare<[number], string>(`SELECT t.id FROM lease l JOIN task t ON t.pk = l.task WHERE ${waits} AND l.since <= ?
      ORDER BY l.since`)
    .pluck();
  const selectNext = db.prepare<[number], { [name in keyof NextDue]: number | null }>(
    `SELECT (SELECT min(due_at) FROM lease WHERE running = 1) AS runsOut,
      (SELECT min(due_at) FROM lease WHERE running = 0 AND due_at > ?) AS waited,
      (SELECT min(since) FROM lease WHERE ${waits}) AS since`,
  );
  const boundDue = db.prepare<[number, number, number]>('UPDATE lease SET due_at = ? WHERE running = ? AND due_at > ?');
  const boundSince = db.prepare<[number, number]>('UPDATE lease SET since = ? WHERE since > ?');
  const selectBusy = db.prepare<[], { agent: number }>('SELECT DISTINCT agent FROM lease WHERE running = 1');

  // async, so that what SQLite throws is a rejection
  return {
    async next(agent, worker, now) {
      return (selectHeld.get(agent, worker) ?? selectDue.get(agent, now) ?? selectPending.get(agent))?.id;
    },
    due: async (after, now) => [...selectOver.all(now), ...selectRipe.all(after, now)].map(toDue),
    waitingSince: async (time) => selectWaiting.all(time),
    async nextDue(after) {
      const { runsOut, waited, since } = selectNext.get(after) ?? {};
      return { runsOut: runsOut ?? Infinity, waited: waited ?? Infinity, since: since ?? Infinity };
    },
    async bound(now, { runningMs, waitingMs }) {
      boundDue.run(now + runningMs, 1, now + runningMs);
      boundDue.run(now + waitingMs, 0, now + waitingMs);
      boundSince.run(now, now);
    },
    busy: async () => selectBusy.all().map(({ agent }) => agent),
  };
}

function toDue({ id, agent, running }: DueRow): DueLease {
  return { taskId: id, agent, state: stateOf(running) };
}

function stateOf(running: number): Lease['state'] {
  return running === 1 ? 'running' : 'waiting';
}
