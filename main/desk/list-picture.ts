import {
  handoffStateSchema,
  TERMINAL_STATES,
  type HandoffState,
  type HandoffView,
} from '../../relay/contract/handoff.ts';
import type { RelayClient } from './relay-client.ts';

/** How many closed handoffs, the newest ones, a desk keeps at hand for each role. */
export const CLOSED_KEPT = 200;
const PAGE = 100;

const closed = [...TERMINAL_STATES];
const open = handoffStateSchema.options.filter((state) => !TERMINAL_STATES.has(state));

/**
 * Everything that is open and the newest of what is closed, for both roles. What moves while the pages are read may
 * show up twice or not at all; the stream that was opened before tells of it.
 */
export async function listPicture(client: RelayClient, signal: AbortSignal): Promise<readonly HandoffView[]> {
  const views: HandoffView[] = [];
  for (const role of ['recipient', 'sender'] as const) {
    views.push(...(await listAll(client, role, open, Infinity, signal)));
    views.push(...(await listAll(client, role, closed, CLOSED_KEPT, signal)));
  }
  return views;
}

async function listAll(
  client: RelayClient,
  role: 'sender' | 'recipient',
  states: readonly HandoffState[],
  atMost: number,
  signal: AbortSignal,
): Promise<readonly HandoffView[]> {
  const views: HandoffView[] = [];
  let cursor: string | undefined;
  do {
    const limit = Math.min(PAGE, atMost - views.length);
    const page = await client.listHandoffs({ role, states, limit, ...(cursor && { cursor }) }, signal);
    views.push(...page.views);
    cursor = page.nextCursor;
  } while (cursor !== '' && views.length < atMost);
  return views;
}
