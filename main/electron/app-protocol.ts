import { readFile } from 'node:fs/promises';
import type { StaticFile } from '../static-files.ts';
import { CONTENT_SECURITY_POLICY } from '../window-files.ts';
import { isAppUrl } from './app-url.ts';

const HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/**
 * Answers the window's requests: its own files, and nothing else, so that no path leads out of their folder.
 * @param files the window's files by URL path
 */
export function serveWindow(files: ReadonlyMap<string, StaticFile>): (request: Request) => Promise<Response> {
  return async ({ method, url }) => {
    if (method !== 'GET') return refuse(405);
    const file = isAppUrl(url) ? files.get(new URL(url).pathname) : undefined;
    if (!file) return refuse(404);
    return new Response(new Uint8Array(await readFile(file.file)), {
      headers: { ...HEADERS, 'content-type': file.type },
    });
  };
}

const refuse = (status: number): Response => new Response(null, { status, headers: HEADERS });
