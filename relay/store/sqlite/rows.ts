import { z } from 'zod';
import { TERMINAL_STATES, type ReceiptCursors, type ThreadEvent } from '../../contract/handoff.ts';
import type { Handoff } from '../ports.ts';

/** How snapshots and events lie in the tables. */

/** A row of `task`, but for its `size`, which is the writer's own. */
export interface TaskRow {
  readonly pk: number;
  readonly id: string;
  readonly context_id: string;
  readonly sender: number;
  readonly recipient: number;
  readonly state: Handoff['state'];
  readonly closed: number;
  readonly version: number;
  readonly last_version: number;
  readonly last_actor: Handoff['lastActor'];
  readonly session_id: string | null;
  readonly born_live: number;
  readonly reply_only: number;
  readonly summary: string;
  readonly intent: Handoff['intent'] | null;
  readonly reason: string | null;
  readonly artifact_types: string;
  readonly sender_offered: number;
  readonly sender_surfaced: number;
  readonly sender_acked: number;
  readonly sender_held: number;
  readonly recipient_offered: number;
  readonly recipient_surfaced: number;
  readonly recipient_acked: number;
  readonly recipient_held: number;
  readonly created_at: number;
  readonly updated_at: number;
  readonly status_at: number;
  readonly chain: string | null;
}

/** A row of `task_event`. */
export interface EventRow {
  readonly version: number;
  readonly kind: ThreadEvent['kind'];
  readonly actor: ThreadEvent['actor'];
  readonly author: ThreadEvent['author'];
  readonly created_at: number;
  readonly body: string;
}

const typesSchema = z.array(z.string());
const chainSchema = z.object({ hops: z.int(), path: z.array(z.int()) });

/** What is written for a handoff. */
export function toTaskRow(pk: number, handoff: Handoff): TaskRow {
  const { sender, recipient } = handoff.receipts;
  return {
    pk,
    id: handoff.id,
    context_id: handoff.contextId,
    sender: handoff.sender,
    recipient: handoff.recipient,
    state: handoff.state,
    closed: TERMINAL_STATES.has(handoff.state) ? 1 : 0,
    version: handoff.version,
    last_version: handoff.lastVersion,
    last_actor: handoff.lastActor,
    session_id: handoff.sessionId ?? null,
    born_live: handoff.bornLive ? 1 : 0,
    reply_only: handoff.replyOnly ? 1 : 0,
    summary: handoff.summary,
    intent: handoff.intent ?? null,
    reason: handoff.reason ?? null,
    artifact_types: JSON.stringify(handoff.artifactTypes),
    sender_offered: sender.offered,
    sender_surfaced: sender.surfaced,
    sender_acked: sender.acked,
    sender_held: sender.held ? 1 : 0,
    recipient_offered: recipient.offered,
    recipient_surfaced: recipient.surfaced,
    recipient_acked: recipient.acked,
    recipient_held: recipient.held ? 1 : 0,
    created_at: handoff.createdAt,
    updated_at: handoff.updatedAt,
    status_at: handoff.statusAt,
    chain: handoff.chain === undefined ? null : JSON.stringify(handoff.chain),
  };
}

export function toHandoff(row: TaskRow): Handoff {
  return {
    id: row.id,
    contextId: row.context_id,
    sender: row.sender,
    recipient: row.recipient,
    ...(row.chain === null ? {} : { chain: chainSchema.parse(JSON.parse(row.chain)) }),
    state: row.state,
    version: row.version,
    summary: row.summary,
    ...(row.intent === null || row.intent === undefined ? {} : { intent: row.intent }),
    ...(row.reason === null ? {} : { reason: row.reason }),
    artifactTypes: typesSchema.parse(JSON.parse(row.artifact_types)),
    ...(row.session_id === null ? {} : { sessionId: row.session_id }),
    bornLive: row.born_live === 1,
    replyOnly: row.reply_only === 1,
    lastActor: row.last_actor,
    lastVersion: row.last_version,
    receipts: {
      sender: cursors(row.sender_offered, row.sender_surfaced, row.sender_acked, row.sender_held),
      recipient: cursors(row.recipient_offered, row.recipient_surfaced, row.recipient_acked, row.recipient_held),
    },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    statusAt: row.status_at,
  };
}

function cursors(offered: number, surfaced: number, acked: number, held: number): ReceiptCursors {
  return { offered, surfaced, acked, held: held === 1 };
}

/** The body holds what has no column of its own. */
export function toEventBody(event: ThreadEvent): string {
  const { version: _version, kind: _kind, actor: _actor, author: _author, at: _at, ...body } = event;
  return JSON.stringify(body);
}

export function toEvent(row: EventRow): ThreadEvent {
  const { version, kind, actor, author, created_at: at, body } = row;
  // written by toEventBody, from an event of this type
  return { kind, version, actor, author, at, ...(JSON.parse(body) as object) } as ThreadEvent;
}
