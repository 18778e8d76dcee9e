import type { Account, DeskEvent, InboxItem, OfflinePeer, Snapshot, Thread } from '../../../relay/contract/desk-api.ts';
import type { OutboxItem } from '../../../relay/contract/outbox.ts';
import type { Decision, Grants } from '../../../relay/contract/trust.ts';
import type { HandoffView, ReceiptCursors, ThreadEvent } from '../../../relay/contract/handoff.ts';

/** What a desk tells the window, in small. The reader is alice@acme, the other side frank@acme. */

export const NONE: ReceiptCursors = { offered: 0, surfaced: 0, acked: 0, held: false };

export function account(over: Partial<Account> = {}): Account {
  return { handle: 'alice@acme', relay: 'http://127.0.0.1:7319', state: 'connected', since: 1_000, ...over };
}

/** frank@acme, who has nothing connected. */
export function away(over: Partial<OfflinePeer> = {}): OfflinePeer {
  return { account: 'alice@acme', peer: 'frank@acme', ...over };
}

/** A pending handoff from frank to alice. */
export function view(over: Partial<HandoffView> = {}): HandoffView {
  return {
    task_id: 't1',
    role: 'recipient',
    sender: 'frank@acme',
    recipient: 'alice@acme',
    state: 'pending',
    version: 1,
    summary: 'Rate limiter returns 500 instead of 429',
    artifact_types: [],
    last_actor: 'sender',
    last_version: 1,
    receipts: { sender: NONE, recipient: NONE },
    created_at: 1_000,
    updated_at: 1_000,
    ...over,
  };
}

/** What alice's rules say of frank. */
export const LISTED: Decision = {
  action: 'deliver',
  layer: 'listed',
  rule: { path: 'teammates.frank@acme', line: 6 },
  grants: { auto_read: true, auto_test: false, auto_write_paths: [], require_approval: [], live: 'ask' },
};

const NOTHING: Grants = {
  auto_read: false,
  auto_test: false,
  auto_write_paths: [],
  require_approval: ['Edit', 'Write', 'Bash'],
  live: 'never',
};

/** What they say of somebody who is not in them. */
export const UNKNOWN: Decision = {
  action: 'hold',
  layer: 'unknown',
  rule: { path: 'unknown_teammates.policy', line: 14 },
  grants: NOTHING,
};

/** What holds while `trust.yaml` has an error. */
export const UNUSABLE: Decision = { action: 'hold', layer: 'unusable', rule: { path: '', line: 3 }, grants: NOTHING };

/** A handoff of a stranger, which alice's rules hold. */
export function heldItem(over: Partial<HandoffView> = {}, trust: Decision = UNKNOWN): InboxItem {
  return item({ sender: 'ext-bot@vendor', ...over }, { group: 'held', trust });
}

/** A message of alice's agent to frank that was not sent: there is a key in it. */
export function unsent(over: Partial<OutboxItem> = {}): OutboxItem {
  return {
    id: 'o1',
    account: 'alice@acme',
    peer: 'frank@acme',
    kind: 'handoff',
    text: 'Deploy fails\nTOKEN=ghp_0123456789\nplease',
    author: 'claude-code',
    state: 'needs_human',
    reason: 'It holds what looks like a secret (github in body).',
    findings: [{ where: 'body', rule: 'github', start: 19, end: 33, masked: '…, 14 characters' }],
    created_at: 1_000,
    ...over,
  };
}

/** The row for it, as alice's desk lists it. */
export function item(over: Partial<HandoffView> = {}, row: Partial<Omit<InboxItem, 'handoff'>> = {}): InboxItem {
  const handoff = view(over);
  const isDone = ['completed', 'failed', 'declined', 'cancelled'].includes(handoff.state);
  return {
    task_id: handoff.task_id,
    account: 'alice@acme',
    peer: handoff.role === 'recipient' ? handoff.sender : handoff.recipient,
    group: isDone ? 'done' : 'needs_you',
    unread: false,
    trust: LISTED,
    handoff,
    ...row,
  };
}

/** A message of the sender. */
export function said(version: number, over: Partial<Extract<ThreadEvent, { kind: 'message' }>> = {}): ThreadEvent {
  return {
    kind: 'message',
    version,
    actor: 'sender',
    author: 'codex',
    at: 1_000 * version,
    message: { messageId: `m${version}`, role: 'ROLE_USER', parts: [{ text: `message ${version}` }] },
    ...over,
  };
}

/** The first event of a thread. */
export function created(over: Partial<Extract<ThreadEvent, { kind: 'created' }>> = {}): ThreadEvent {
  return {
    kind: 'created',
    version: 1,
    actor: 'sender',
    author: 'codex',
    at: 1_000,
    summary: 'Rate limiter returns 500 instead of 429',
    message: { messageId: 'm1', role: 'ROLE_USER', parts: [{ text: 'The limiter throws.' }] },
    ...over,
  };
}

/** A step of the recipient. */
export function step(
  version: number,
  transition: Extract<ThreadEvent, { kind: 'status' }>['transition'],
  state: HandoffView['state'],
  over: Partial<Extract<ThreadEvent, { kind: 'status' }>> = {},
): ThreadEvent {
  return {
    kind: 'status',
    version,
    actor: 'recipient',
    author: 'human',
    at: 1_000 * version,
    transition,
    state,
    ...over,
  };
}

/** What a party says of how far it has got. */
export function receipt(
  version: number,
  state: Extract<ThreadEvent, { kind: 'receipt' }>['state'],
  upTo: number,
  over: Partial<Extract<ThreadEvent, { kind: 'receipt' }>> = {},
): ThreadEvent {
  return { kind: 'receipt', version, actor: 'recipient', author: 'human', at: 1_000 * version, state, upTo, ...over };
}

/** An artifact of the recipient, or a chunk of one. */
export function chunk(
  version: number,
  id: string,
  text: string,
  over: Partial<Extract<ThreadEvent, { kind: 'artifact' }>> = {},
): ThreadEvent {
  return {
    kind: 'artifact',
    version,
    actor: 'recipient',
    author: 'codex',
    at: 1_000 * version,
    artifact: { artifactId: id, parts: [{ text }] },
    append: true,
    lastChunk: false,
    ...over,
  };
}

/** A desk event that tells of a thread event. */
export function itemEvent(seq: number, row: InboxItem, event: ThreadEvent): DeskEvent {
  return { seq, type: 'item', item: row, event };
}

export function snapshot(over: Partial<Snapshot> = {}): Snapshot {
  return {
    seq: 0,
    version: '0.1.0',
    shell: 'browser',
    command: '/srv/agentrelay/bin/agentrelay',
    accounts: [account()],
    offline: [],
    items: [],
    done_total: 0,
    outbox: [],
    ...over,
  };
}

export function thread(row: InboxItem, events: readonly ThreadEvent[]): Thread {
  return { item: row, events: [...events] };
}
