import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readText } from '../../../main/desk/read-text.ts';

/** Answers with a body, packed as `gzip` where asked. */
async function answer(body: Uint8Array, headers: Record<string, string> = {}): Promise<Response> {
  const server = createServer((_request, response) => response.writeHead(200, headers).end(body));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

describe('the body of an answer', () => {
  it('is read whole, whatever chunks its characters are cut into', async () => {
    const text = '😀ä'.repeat(100_000);
    expect(await readText(await answer(Buffer.from(text)), 1_000_000)).toBe(text);
    expect(await readText(new Response(null), 10)).toBe('');
  });

  it('is not read further than it may be, also where little on the wire is much once it is unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024));
    expect(bomb.length).toBeLessThan(300_000);
    const before = process.memoryUsage().arrayBuffers;
    const reading = readText(await answer(bomb, { 'content-encoding': 'gzip' }), 16_384);
    await expect(reading).rejects.toMatchObject({ trouble: { kind: 'unreadable' } });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100 * 1024 * 1024);
  });
});
