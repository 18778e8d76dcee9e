import { z } from 'zod';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { InboxItem, WriteResult } from '../../relay/contract/desk-api.ts';
import { deskError, type DeskClient } from '../desk-client.ts';
import {
  compose,
  draftId,
  EMPTY_DOCK,
  EMPTY_DRAFT,
  writeCommand,
  type ComposeAction,
  type ComposeState,
  type Step,
} from './compose.ts';
import { itemKey } from './item.ts';
import type { Storage } from './storage.ts';

export type ComposeStore = StoreApi<ComposeState>;

const NAME = 'drafts';
const draftsSchema = z
  .record(z.string(), z.object({ text: z.string(), idempotencyKey: z.string().exactOptional() }))
  .catch({});

/** Drafts as they were left, and kept from now on. */
export function createComposeStore(storage: Storage): ComposeStore {
  const store = createStore<ComposeState>(() => ({ docks: {}, drafts: draftsSchema.parse(storage.read(NAME) ?? {}) }));
  store.subscribe(({ drafts }, before) => {
    if (drafts !== before.drafts) storage.write(NAME, drafts);
  });
  return store;
}

/** Passes an action through the reducer. */
export function composeDispatch(store: ComposeStore, action: ComposeAction): void {
  store.setState((state) => compose(state, action), true);
}

/**
 * Takes a step with the text of its draft. While one is on its way in a thread, another does nothing; a failure keeps the
 * text and shows why. Answers whether it was taken.
 * @param newKey makes an idempotency key, for a text that is sent for the first time
 */
export async function takeStep(
  client: DeskClient,
  store: ComposeStore,
  item: InboxItem,
  step: Step,
  newKey: () => string,
): Promise<boolean> {
  const key = itemKey(item);
  if ((store.getState().docks[key] ?? EMPTY_DOCK).pending !== undefined) return false;
  composeDispatch(store, { type: 'sending', key, step, idempotencyKey: newKey() });
  const { text, idempotencyKey = '' } = store.getState().drafts[draftId(key, step)] ?? EMPTY_DRAFT;
  try {
    await write(client, item, step, text.trim(), idempotencyKey);
    composeDispatch(store, { type: 'sent', key, step });
    return true;
  } catch (thrown) {
    composeDispatch(store, { type: 'refused', key, step, error: deskError(thrown) });
    return false;
  }
}

function write(
  client: DeskClient,
  item: InboxItem,
  step: Step,
  text: string,
  idempotencyKey: string,
): Promise<WriteResult> {
  const asked = writeCommand(item, step, text, idempotencyKey);
  return asked.command === 'sendMessage'
    ? client.call(asked.command, asked.input)
    : client.call(asked.command, asked.input);
}
