import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '../../support/temp-dir.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** Opens everything that a relay can have open, closes the relay, and has nothing else that would keep it running. */
const PROGRAM = `
import { createRelay } from './relay/server.ts';
import { A2aClient, message } from './test/support/a2a-client.ts';
import { openInbox } from './test/support/inbox.ts';
import { RawConnection } from './test/support/raw-connection.ts';

const relay = await createRelay({ dataDir: process.argv[1], name: 'acme', blockMs: 3_600_000 });
const url = await relay.listen({ host: '127.0.0.1', port: 0 });
const client = async (handle) => new A2aClient({ url, handle, ...(await relay.register({ handle, contacts: 'auto' })) });
const [alice, frank] = [await client('alice'), await client('frank')];
const inbox = await openInbox(alice);
const stream = await frank.stream('SendStreamingMessage', message('m1'), { at: '/a/alice' });
const { task } = await stream.next();
const subscribed = await alice.stream('SubscribeToTask', { id: task.id });
await subscribed.next();
const waiting = frank.call('SendMessage', message('m2'), { at: '/a/alice' });
await inbox.handoff(({ task_id }) => task_id !== task.id);
const half = await RawConnection.open(Number(new URL(url).port));
half.write('POST /a2a HTTP/1.1\\r\\n');
await Promise.all([relay.close(), relay.close()]);
await Promise.all([waiting, stream.rest(), subscribed.rest(), inbox.sse.rest(), half.closed()]);
console.log('closed');
`;

test('a relay that is closed leaves nothing that keeps its process running', async () => {
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', PROGRAM, tempDir()], {
    cwd: ROOT,
  });
  let output = '';
  child.stdout.on('data', (text) => (output += String(text)));
  child.stderr.on('data', (text) => (output += String(text)));
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect([code, output]).toEqual([0, 'closed\n']);
});
