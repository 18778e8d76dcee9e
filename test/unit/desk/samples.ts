import { toItem } from '../../../main/desk/grouping.ts';
import type { InboxItem } from '../../../relay/contract/desk-api.ts';
import type { Decision } from '../../../relay/contract/trust.ts';
import type { InboxHandoff } from '../../../relay/contract/event-schema.ts';
import type { HandoffView, ReceiptCursors, ThreadEvent } from '../../../relay/contract/handoff.ts';

/** Handoffs and events as a relay would tell of them. */

export const NONE: ReceiptCursors = { offered: 0, surfaced: 0, acked: 0, held: false };

/** A pending handoff from alice to frank, seen by frank. */
export function sampleView(over: Partial<HandoffView> = {}): HandoffView {
  return {
    task_id: 't1',
    role: 'recipient',
    sender: 'alice@acme',
    recipient: 'frank@acme',
    state: 'pending',
    version: 1,
    summary: 'Rate limiter returns 500',
    artifact_types: [],
    last_actor: 'sender',
    last_version: 1,
    receipts: { sender: NONE, recipient: NONE },
    created_at: 1_000,
    updated_at: 1_000,
    ...over,
  };
}

/** What the rules say of somebody who is listed. */
export const LISTED: Decision = {
  action: 'deliver',
  layer: 'listed',
  rule: { path: 'teammates.alice@acme', line: 3 },
  grants: { auto_read: false, auto_test: false, auto_write_paths: [], require_approval: [], live: 'ask' },
};

/** The row of a handoff with somebody who is listed. */
export function rowOf(view: HandoffView, account = 'frank@acme'): InboxItem {
  return toItem(view, account, () => LISTED);
}

/** A message of the sender. */
export function sampleEvent(version: number): ThreadEvent {
  return {
    kind: 'message',
    version,
    actor: 'sender',
    author: 'human',
    at: 1_000 + version,
    message: { messageId: `m${version}`, role: 'ROLE_USER', parts: [{ text: `message ${version}` }] },
  };
}

/**
 * The frame that tells of a version of a thread.
 * @param viewVersion how far the handoff had got when the frame was written: a replayed frame tells of an old event
 *   beside the newest view
 */
export function sampleFrame(taskId: string, version: number, viewVersion = version): InboxHandoff {
  return { task_id: taskId, version, event: sampleEvent(version), handoff: viewAt(taskId, viewVersion) };
}

/** The handoff as its first `version` events leave it. */
export function viewAt(taskId: string, version: number): HandoffView {
  return sampleView({ task_id: taskId, version, last_version: version, updated_at: 1_000 + version });
}
