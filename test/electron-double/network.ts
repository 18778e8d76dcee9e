import type { BrowserContext, Route } from '@playwright/test';
import { toElectron } from './origins.ts';
import { respond } from './protocol.ts';
import { contentsOfPage } from './web-contents.ts';

const routed = new WeakSet<BrowserContext>();

/** Answers all requests of the pages by the app's own protocol handlers. What they do not handle reaches no network. */
export async function routeRequests(context: BrowserContext): Promise<void> {
  if (routed.has(context)) return;
  routed.add(context);
  await context.route('**/*', async (route) => {
    try {
      await answer(route);
    } catch (error) {
      console.error(`electron double: ${route.request().url()}:`, error);
      await route.abort().catch(() => {});
    }
  });
}

async function answer(route: Route): Promise<void> {
  const request = route.request();
  if (request.isNavigationRequest() && !mayNavigate(route)) return route.abort('aborted');
  const url = toElectron(request.url());
  const body = request.postDataBuffer();
  const response = await respond(
    new Request(url, {
      method: request.method(),
      headers: await request.allHeaders(),
      ...(body ? { body: new Uint8Array(body) } : {}),
    }),
  );
  if (!response) return route.abort('blockedbyclient');
  if (response.status >= 300 && response.status < 400) {
    throw new Error('a protocol handler that redirects is not implemented');
  }
  await route.fulfill({
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: Buffer.from(await response.arrayBuffer()),
  });
}

/** A page that was opened by a page belongs to no window, and goes nowhere. */
function mayNavigate(route: Route): boolean {
  const request = route.request();
  try {
    return contentsOfPage(request.frame().page())?.mayNavigate(request) ?? false;
  } catch {
    // its page is not there yet: it is one that a page opens
    return false;
  }
}
