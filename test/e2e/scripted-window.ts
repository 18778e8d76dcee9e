import { join } from 'node:path';
import type { CDPSession, Page } from '@playwright/test';
import type { CommandName, InboxItem, Snapshot } from '../../relay/contract/desk-api.ts';
import type { ThreadEvent } from '../../relay/contract/handoff.ts';
import type { OutboxItem } from '../../relay/contract/outbox.ts';
import { ROOT } from '../support/project-root.ts';

/** Where the page is, with the rights of one from this machine. Nothing listens there: all is answered here. */
const ORIGIN = 'http://desk.localhost';

/** What the desk holds, by the id of the handoff. */
export type Threads = ReadonlyMap<string, { readonly item: InboxItem; readonly events: readonly ThreadEvent[] }>;

/** Opens the built window on a desk that has exactly this, and to which nothing happens. */
export async function openScriptedWindow(
  page: Page,
  threads: Threads,
  { files = join(ROOT, 'out/renderer'), outbox = [] }: { files?: string; outbox?: readonly OutboxItem[] } = {},
): Promise<void> {
  const snapshot: Snapshot = {
    seq: 0,
    version: '0.1.0',
    shell: 'browser',
    command: 'agentrelay',
    accounts: [{ handle: 'alice@acme', relay: 'http://127.0.0.1:7319', state: 'connected', since: 0 }],
    offline: [],
    items: Array.from(threads.values(), ({ item }) => item),
    done_total: 0,
    outbox: [...outbox],
  };
  const answers: { readonly [C in CommandName]?: (input: { readonly task_id?: string }) => unknown } = {
    getSnapshot: () => snapshot,
    getThread: ({ task_id: id = '' }) => threads.get(id),
    markSurfaced: () => ({}),
  };
  await page.route(`${ORIGIN}/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    // the stream is open, and says nothing
    if (pathname === '/desk/events') return;
    const [, command] = pathname.split('/desk/');
    if (command === undefined) {
      await route.fulfill({ path: join(files, pathname === '/' ? 'index.html' : pathname) });
    } else {
      const answer = answers[command as CommandName];
      const input = route.request().postDataJSON();
      await route.fulfill({ json: { ok: true, value: answer === undefined ? {} : answer(input) } });
    }
  });
  await page.goto(`${ORIGIN}/`);
  await page.getByRole('listbox', { name: 'Handoffs' }).waitFor();
}

/** What a page's main thread has to do for something, milliseconds of CPU time: what else the machine does is left out. */
export async function pageCpuTime(page: Page, act: () => Promise<void>): Promise<number> {
  const session = await page.context().newCDPSession(page);
  try {
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const before = await taskTime(session);
    await act();
    await drawn(page);
    return ((await taskTime(session)) - before) * 1000;
  } finally {
    await session.detach();
  }
}

async function taskTime(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
}

/** Until what was asked for is on the screen. */
export function drawn(page: Page): Promise<void> {
  return page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );
}
