import { isDeepStrictEqual } from 'node:util';
import Sqlite from 'better-sqlite3';
import { TERMINAL_STATES, type ThreadEvent } from '../../relay/contract/handoff.ts';
import { evolve, replay } from '../../relay/handoffs/evolve.ts';
import { toEvent, toEventBody, toHandoff, type EventRow, type TaskRow } from '../../relay/store/sqlite/rows.ts';

type SizedRow = TaskRow & { readonly size: number };

interface FeedRow {
  readonly kind: 'handoff' | 'contact';
  readonly agent: number;
  readonly seq: number;
  readonly task: number;
  readonly version: number;
}

/**
 * Reads a store's file as it lies there, with a connection of its own, and tells what is wrong with it: one line for
 * each rule that is broken, and none for a store that is sound. The rules hold at every moment, after a crash too.
 */
export function auditStore(file: string): string[] {
  const db = new Sqlite(file, { readonly: true });
  try {
    const tasks = db.prepare<[], SizedRow>('SELECT * FROM task ORDER BY pk').all();
    const events = db.prepare<[], EventRow & { task: number }>('SELECT * FROM task_event ORDER BY task, version').all();
    const feed = db.prepare<[], FeedRow>('SELECT * FROM feed ORDER BY agent, seq').all();
    const keys = db
      .prepare<[], { key: string; task: number }>(
        'SELECT key, task FROM idempotency UNION SELECT key, task FROM idempotency_new',
      )
      .all();
    const logs = Map.groupBy(events, ({ task }) => task);
    const pks = new Set(tasks.map(({ pk }) => pk));
    return [
      ...auditFile(db),
      ...tasks.flatMap((task) => auditTask(task, (logs.get(task.pk) ?? []).map(toEvent))),
      ...[...logs.keys()].filter((pk) => !pks.has(pk)).map((pk) => `events without task ${pk}`),
      ...auditFeeds(tasks, feed),
      ...auditLeases(db),
      ...keys.filter(({ task }) => !pks.has(task)).map(({ key, task }) => `key ${key} without task ${task}`),
    ];
  } finally {
    db.close();
  }
}

function auditFile(db: Sqlite.Database): string[] {
  const integrity = db.pragma('integrity_check', { simple: true });
  const dangling = db.pragma('foreign_key_check') as readonly unknown[];
  return [
    ...(integrity === 'ok' ? [] : [`integrity_check: ${String(integrity)}`]),
    ...dangling.map((row) => `foreign_key_check: ${JSON.stringify(row)}`),
  ];
}

function auditTask(row: SizedRow, events: readonly ThreadEvent[]): string[] {
  const problems: string[] = [];
  const snapshot = toHandoff(row);
  const size = events.reduce((sum, event) => sum + toEventBody(event).length + 100, 0);
  if (row.size !== size) problems.push(`${row.id}: is ${row.size} characters long, and not ${size}`);
  const { id, contextId, sender, recipient, chain } = snapshot;
  const parties = { id, contextId, sender, recipient, ...(chain && { chain }) };
  if (chain && !isDeepStrictEqual(chain.path.slice(-2), [sender, recipient]))
    problems.push(`${id}: is not the end of its chain`);
  if (events[0]?.kind !== 'created') problems.push(`${id}: does not begin with its creation`);
  if (events.slice(1).some(({ kind }) => kind === 'created')) problems.push(`${id}: was created twice`);
  if (events.some(({ version }, index) => version !== index + 1)) problems.push(`${id}: versions with a gap`);
  const replayed = replay(parties, events);
  if (!isDeepStrictEqual(replayed, snapshot)) {
    problems.push(`${id}: its log gives ${JSON.stringify(replayed)}, its row says ${JSON.stringify(snapshot)}`);
  }
  let handoff = replay(parties, events.slice(0, 1));
  for (const event of events.slice(1)) {
    if (event.at < handoff.updatedAt) problems.push(`${id}: ${event.version} is older than what was written before`);
    if (TERMINAL_STATES.has(handoff.state) && event.kind !== 'receipt') {
      problems.push(`${id}: ${event.kind} ${event.version} after the end`);
    }
    handoff = evolve(handoff, event);
  }
  return problems;
}

/** Each event is in the feeds of both parties, once, in the order of its thread, and in nobody else's. */
function auditFeeds(tasks: readonly TaskRow[], feed: readonly FeedRow[]): string[] {
  const problems: string[] = [];
  for (const [agent, rows] of Map.groupBy(feed, (row) => row.agent)) {
    if (rows.some(({ seq }, index) => seq !== index + 1)) problems.push(`feed of ${agent}: numbers with a gap`);
    const seen = Map.groupBy(
      rows.filter(({ kind }) => kind === 'handoff'),
      ({ task }) => task,
    );
    for (const { pk, id, sender, recipient, version } of tasks) {
      const versions = (seen.get(pk) ?? []).map((row) => row.version);
      const expected = agent === sender || agent === recipient ? version : 0;
      if (versions.length !== expected || versions.some((v, index) => v !== index + 1)) {
        problems.push(`feed of ${agent}: ${id} is there as ${versions.join()} of ${expected}`);
      }
      seen.delete(pk);
    }
    for (const pk of seen.keys()) problems.push(`feed of ${agent}: rows without task ${pk}`);
  }
  const readers = new Set(feed.map(({ agent }) => agent));
  for (const { id, sender, recipient } of tasks) {
    if (!readers.has(sender) || !readers.has(recipient)) problems.push(`${id}: is in no feed of a party`);
  }
  return problems;
}

/** A lease is of an open handoff that its worker holds; one that runs, of one that is worked on. */
function auditLeases(db: Sqlite.Database): string[] {
  const broken = db
    .prepare<[], { id: string; state: string; worker: string }>(
      `SELECT t.id, t.state, l.worker FROM lease l JOIN task t ON t.pk = l.task
        WHERE t.closed = 1 OR t.session_id IS NOT l.worker OR l.agent <> t.recipient
          OR t.state NOT IN ('accepted', 'input_required') OR (l.running = 1 AND t.state <> 'accepted')`,
    )
    .all();
  return broken.map(({ id, state, worker }) => `${id}: is ${state}, and leased to ${worker}`);
}
