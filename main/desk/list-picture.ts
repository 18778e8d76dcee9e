import { handoffStateSchema, TERMINAL_STATES, type HandoffView } from '../../relay/contract/handoff.ts';
import { MOST_PAGES, type ListQuery, type RelayClient } from './relay-client.ts';
import { ConnectionError } from './trouble.ts';

/** How many closed handoffs, the newest ones, a desk keeps at hand for each role. */
export const CLOSED_KEPT = 200;
const PAGE = 100;

const closed = [...TERMINAL_STATES];
const open = handoffStateSchema.options.filter((state) => !TERMINAL_STATES.has(state));

/** What a desk begins with. */
export interface Listed {
  readonly views: readonly HandoffView[];
  /** How many closed handoffs there are beyond those that are kept. */
  readonly moreClosed: number;
}

/**
 * Everything that is open and the newest of what is closed, for both roles. What moves while the pages are read may
 * show up twice or not at all; the stream that was opened before tells of it.
 */
export async function listPicture(client: RelayClient, signal: AbortSignal): Promise<Listed> {
  const views: HandoffView[] = [];
  let moreClosed = 0;
  for (const role of ['recipient', 'sender'] as const) {
    views.push(...(await listAll(client, { role, states: open }, Infinity, signal)).views);
    const done = await listAll(client, { role, states: closed, total: true }, CLOSED_KEPT, signal);
    views.push(...done.views);
    moreClosed += Math.max(0, done.total - done.views.length);
  }
  return { views, moreClosed };
}

async function listAll(
  client: RelayClient,
  query: Omit<ListQuery, 'limit' | 'cursor'>,
  atMost: number,
  signal: AbortSignal,
): Promise<{ readonly views: readonly HandoffView[]; readonly total: number }> {
  const views: HandoffView[] = [];
  let cursor: string | undefined;
  let total = 0;
  let pages = 0;
  do {
    pages += 1;
    if (pages > MOST_PAGES) throw new ConnectionError({ kind: 'unreadable' });
    const limit = Math.min(PAGE, atMost - views.length);
    const page = await client.listHandoffs({ ...query, limit, ...(cursor && { cursor }) }, signal);
    views.push(...page.views);
    cursor = page.nextCursor;
    total = page.total ?? total;
  } while (cursor !== '' && views.length < atMost);
  return { views, total };
}
