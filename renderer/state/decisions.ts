import type { InboxItem, WriteResult } from '../../relay/contract/desk-api.ts';
import type { OutboxItem } from '../../relay/contract/outbox.ts';
import { deskError, type DeskClient } from '../desk-client.ts';
import type { Act } from './compose.ts';
import { composeDispatch, type ComposeStore } from './compose-store.ts';
import { itemKey, outboxKey, type ItemKey } from './item.ts';

/** Whether an entry in `trust.yaml` would let through what is held: it comes before the policy for the unknown, and nothing else. */
export function canTrust({ group, trust }: Pick<InboxItem, 'group' | 'trust'>): boolean {
  return group === 'held' && trust.layer === 'unknown';
}

/** Adds the sender to `trust.yaml`. What comes of it, a new snapshot shows. Answers whether it was done. */
export async function trust(client: DeskClient, compose: ComposeStore, item: InboxItem): Promise<boolean> {
  const change = { kind: 'teammate', handle: item.peer, grants: {} } as const;
  return (await act(compose, itemKey(item), 'trust', () => client.call('changeTrust', change))) !== undefined;
}

/** Sends what waits, at the person's word. Answers the handoff that it belongs to; undefined where it was not sent. */
export async function release(
  client: DeskClient,
  compose: ComposeStore,
  { account, id }: OutboxItem,
): Promise<string | undefined> {
  const send = (): Promise<WriteResult> => client.call('releaseOutbox', { as: account, id });
  const result = await act(compose, outboxKey({ account, id }), 'release', send, (sent) =>
    'outbox_id' in sent ? 'It was tried just now, and still waits.' : undefined,
  );
  return result !== undefined && 'task_id' in result ? result.task_id : undefined;
}

/** Drops what waits. Answers whether it is gone. */
export async function drop(client: DeskClient, compose: ComposeStore, { account, id }: OutboxItem): Promise<boolean> {
  const discard = (): Promise<unknown> => client.call('discardOutbox', { as: account, id });
  return (await act(compose, outboxKey({ account, id }), 'drop', discard)) !== undefined;
}

/**
 * Does something once: while anything of the same key is on its way, nothing else begins. A failure is shown. Answers what
 * came of it; undefined where it was not done.
 * @param noteOn what to say of the result, where nothing else shows it
 */
async function act<T>(
  compose: ComposeStore,
  key: ItemKey,
  name: Act,
  run: () => Promise<T>,
  noteOn: (result: T) => string | undefined = () => undefined,
): Promise<T | undefined> {
  if (compose.getState().docks[key]?.pending !== undefined) return undefined;
  composeDispatch(compose, { type: 'acting', key, act: name });
  try {
    const result = await run();
    const note = noteOn(result);
    composeDispatch(compose, { type: 'acted', key, ...(note !== undefined && { note }) });
    return result;
  } catch (thrown) {
    composeDispatch(compose, { type: 'failed', key, error: deskError(thrown) });
    return undefined;
  }
}
