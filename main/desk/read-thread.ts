import type { HandoffView, ThreadEvent } from '../../relay/contract/handoff.ts';
import { MOST_PAGES, type RelayClient } from './relay-client.ts';
import { ConnectionError } from './trouble.ts';

const PAGE = 200;

/** A whole thread, read from the relay: what the stream told of it plays no part, so nothing can be missing. */
export async function readThread(
  client: RelayClient,
  taskId: string,
): Promise<{ view: HandoffView; events: ThreadEvent[] }> {
  const events: ThreadEvent[] = [];
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const read = events.at(-1)?.version ?? 0;
    const page = await client.threadPage(taskId, read, PAGE);
    events.push(...page.events);
    if (!page.more) return { view: page.handoff, events };
    if (page.events.length === 0) throw new ConnectionError({ kind: 'unreadable' });
  }
  throw new ConnectionError({ kind: 'unreadable' });
}
