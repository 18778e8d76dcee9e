import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SendMessageRequest, TaskState } from '@a2a-js/sdk';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createRelay } from '../../../relay/server.ts';
import { A2aClient, message } from '../../support/a2a-client.ts';
import { agentrelay } from '../../support/app-process.ts';
import { runApp } from '../../support/running-app.ts';
import { sdkClient } from '../../support/sdk.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { proxyForTest } from '../../support/tcp-proxy.ts';
import { finished, linesOf, statusText, workPlace } from '../../support/worker.ts';

// real processes, on a machine that runs other tests as well
vi.setConfig({ testTimeout: 60_000 });

describe('a worker', () => {
  test('gives the handoff to the command, and its text back as the result', async () => {
    const place = await workPlace();
    const id = await place.send('Count these letters');
    const command = place.script(`
      const { text, sender, attempt, messages, task } = await read();
      console.log([text.length, sender, attempt, messages.length, task.kind].join(' '));
    `);
    const worker = place.worker(command, ['--once']);
    expect((await worker.ended).code).toBe(0);
    expect(statusText(await place.reaches(id, 'COMPLETED'))).toBe('19 frank@acme 1 1 task');
    expect(finished(worker)).toMatchObject([{ task_id: id, sender: 'frank@acme', attempt: 1, outcome: 'completed' }]);
  });

  test('sends what the command says line by line, as it says it: a plain client sees it all', async () => {
    const place = await workPlace();
    const gate = join(place.dir, 'gate');
    const command = place.script(`
      import { existsSync } from 'node:fs';
      const say = (line) => console.log(JSON.stringify(line));
      await read();
      say({ type: 'message', text: 'Looking' });
      say({ type: 'artifact', artifact: { type: 'file_diff', path: 'a.ts', diff: '-1\\n+2' } });
      while (!existsSync(${JSON.stringify(gate)})) await new Promise((go) => setTimeout(go, 10));
      say({ type: 'artifact', name: 'notes', text: 'Some notes' });
      say({ type: 'complete', summary: 'Fixed.' });
    `);
    place.worker(command, ['--once']);
    const { url } = place.relay;
    const sdk = await sdkClient({ url, apiKey: place.frank.apiKey, card: '/a/bot/agent-card.json' });
    const seen: string[] = [];
    for await (const { payload } of sdk.sendMessageStream(SendMessageRequest.fromJSON(message('m1')))) {
      if (payload?.$case === 'task') seen.push(TaskState[payload.value.status?.state ?? -1] ?? '');
      if (payload?.$case === 'statusUpdate') seen.push(TaskState[payload.value.status?.state ?? -1] ?? '');
      if (payload?.$case === 'artifactUpdate') {
        seen.push(`artifact ${payload.value.artifact?.name}`);
        // what was said has arrived while the command is still at work
        writeFileSync(gate, '');
      }
    }
    expect(seen).toEqual([
      'TASK_STATE_SUBMITTED',
      'TASK_STATE_WORKING',
      'TASK_STATE_WORKING',
      'artifact a.ts',
      'artifact notes',
      'TASK_STATE_COMPLETED',
    ]);
  });

  test('asks the sender, ends, and goes on with the answer', async () => {
    const place = await workPlace();
    const id = await place.send('Fix the browser bug');
    const command = place.script(`
      const { messages } = await read();
      const answer = messages.at(-1);
      console.log(JSON.stringify(
        messages.length === 1
          ? { type: 'question', text: 'Which browser?' }
          : { type: 'complete', summary: messages.map(({ from, text }) => from + ': ' + text).join(' / ') },
      ));
    `);
    const worker = place.worker(command);
    expect(statusText(await place.reaches(id, 'INPUT_REQUIRED'))).toBe('Which browser?');
    await place.frank.call('SendMessage', message('a1', { taskId: id, parts: [{ text: 'Firefox' }] }));
    expect(statusText(await place.reaches(id, 'COMPLETED'))).toBe(
      'sender: Fix the browser bug / recipient: Which browser? / sender: Firefox',
    );
    await expect.poll(() => finished(worker).map(({ outcome }) => outcome)).toEqual(['asked', 'completed']);
  });

  test('tries again when the command fails, and replaces what the failed attempt has left', async () => {
    const place = await workPlace();
    const id = await place.send('Flaky');
    const command = place.script(`
      console.log(JSON.stringify({ type: 'artifact', name: 'log', text: 'attempt ' + process.env.AGENTRELAY_ATTEMPT }));
      if (process.env.AGENTRELAY_ATTEMPT === '1') process.exit(3);
    `);
    const worker = place.worker(command);
    const task = await place.reaches(id, 'COMPLETED');
    expect(task.artifacts?.map(({ name, parts }) => [name, parts])).toEqual([['log', [{ text: 'attempt 2' }]]]);
    await expect
      .poll(() => finished(worker))
      .toMatchObject([
        {
          attempt: 1,
          outcome: 'retry',
          reason: 'The command ended with exit code 3.',
          retry_in_ms: expect.any(Number),
        },
        { attempt: 2, outcome: 'completed' },
      ]);
  });

  test('gives up when all attempts are spent: the sender reads why', async () => {
    const place = await workPlace();
    const id = await place.send('Hopeless');
    place.worker('echo half an answer; echo no such branch >&2; exit 7', ['--attempts', '2']);
    expect(statusText(await place.reaches(id, 'FAILED'))).toBe(
      'Given up after 2 attempts. The command ended with exit code 7. It said: no such branch',
    );
  });

  test('fails at once when the command says so, and when what it says is no line of ours it says which', async () => {
    const place = await workPlace();
    const failed = await place.send('fail');
    const wrong = await place.send('wrong');
    const command = place.script(`
      const { text } = await read();
      if (text === 'fail') console.log(JSON.stringify({ type: 'fail', reason: 'Not mine to do.' }));
      else console.log(JSON.stringify({ type: 'message', text: 'one' }) + '\\nsomething else');
    `);
    place.worker(command, ['--attempts', '1']);
    expect(statusText(await place.reaches(failed, 'FAILED'))).toBe('Not mine to do.');
    expect(statusText(await place.reaches(wrong, 'FAILED'))).toContain("Line 2 of the command's output cannot be used");
  });

  test('ends a command that takes too long, with all that it has started', async () => {
    const place = await workPlace();
    const id = await place.send('Slow');
    const mark = join(place.dir, 'mark');
    place.worker(`sh -c 'sleep 30; echo alive > ${mark}' & sleep 30`, ['--timeout', '1', '--attempts', '1']);
    expect(statusText(await place.reaches(id, 'FAILED'))).toContain('The command took longer than 1 s.');
    expect(existsSync(mark)).toBe(false);
  });

  test('keeps its lease while the command works, however long that takes', async () => {
    const place = await workPlace();
    const id = await place.send('Longer than the lease');
    place.worker('sleep 2.2; echo done', ['--lease', '1', '--attempts', '1']);
    expect(statusText(await place.reaches(id, 'COMPLETED'))).toBe('done');
  });

  test('does not tell the command its key, nor what the peer wrote but on stdin', async () => {
    const place = await workPlace();
    const id = await place.send('$(touch pwned) "; exit 1');
    const command = place.script(
      `console.log(JSON.stringify(process.env).includes('pwned'), process.env.AGENTRELAY_KEY);`,
    );
    const worker = agentrelay(place.dir, ['worker', '--relay', place.relay.url, '--exec', command, '--once'], {
      env: { AGENTRELAY_KEY: place.bot.apiKey },
    });
    expect(statusText(await place.reaches(id, 'COMPLETED'))).toBe('false undefined');
    await worker.ended;
    expect(worker.stdout()).toMatch(new RegExp(`^${id} {2}from frank@acme {2}[\\d.]+ s {2}completed {2}\\$\\(touch`));
  });
});

describe('many workers', () => {
  test('answer each of 50 handoffs once', async () => {
    const place = await workPlace();
    const log = join(place.dir, 'log');
    const ids = await Promise.all(Array.from({ length: 50 }, (_, n) => place.send(`no ${n}`)));
    const command = `echo $AGENTRELAY_TASK_ID >> ${log}; echo done`;
    const workers = [place.worker(command), place.worker(command)];
    for (const id of ids) await place.reaches(id, 'COMPLETED');
    expect(linesOf(log).toSorted()).toEqual(ids.toSorted());
    const shares = workers.map((worker) => finished(worker).length);
    expect(Math.min(...shares)).toBeGreaterThan(0);
  });

  test('one of which is killed: another one takes over, and the handoff is answered once', async () => {
    const place = await workPlace();
    const id = await place.send('Watch out');
    const log = join(place.dir, 'log');
    // ends when its worker does, which `exec` makes its parent: not every shell puts the command in its own place
    const first = place.worker(
      `exec ${place.script(`
        import { appendFileSync } from 'node:fs';
        appendFileSync(${JSON.stringify(log)}, process.ppid + '\\n');
        const parent = process.ppid;
        while (process.ppid === parent) await new Promise((go) => setTimeout(go, 20));
        console.log('from the first');
      `)}`,
      ['--lease', '1'],
    );
    await expect.poll(() => linesOf(log), { timeout: 15_000 }).toHaveLength(1);
    first.kill('SIGKILL');
    const second = place.worker('echo from the second', ['--once']);
    const task = await place.reaches(id, 'COMPLETED');
    expect(statusText(task)).toBe('from the second');
    await second.ended;
    expect(finished(second)).toMatchObject([{ task_id: id, attempt: 2, outcome: 'completed' }]);
    expect(finished(first)).toEqual([]);
  });

  test('of which each is killed by a handoff: in the end it is failed, and no worker gets it any more', async () => {
    const place = await workPlace();
    const id = await place.send('Poison');
    for (const attempt of [1, 2]) {
      const worker = place.worker('kill -9 $PPID', ['--lease', '1', '--attempts', '2']);
      expect([attempt, (await worker.ended).signal]).toEqual([attempt, 'SIGKILL']);
    }
    expect(statusText(await place.reaches(id, 'FAILED'))).toBe(
      'Given up after 2 attempts. The worker stopped without an answer.',
    );
    const next = await place.send('Harmless');
    const worker = place.worker('echo fine', ['--once']);
    await place.reaches(next, 'COMPLETED');
    await worker.ended;
    expect(finished(worker)).toMatchObject([{ task_id: next }]);
  });
});

describe('a worker that is stopped', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('by %s ends its command, and gives the handoff back', async (signal) => {
    const place = await workPlace();
    const id = await place.send('In the middle');
    const log = join(place.dir, 'log');
    const worker = place.worker(`trap 'echo ended >> ${log}; exit' TERM; echo begun >> ${log}; sleep 30 & wait`);
    await expect.poll(() => linesOf(log), { timeout: 15_000 }).toEqual(['begun']);
    worker.kill(signal);
    expect(await worker.ended).toEqual({ code: 0, signal: null });
    expect(linesOf(log)).toEqual(['begun', 'ended']);
    expect(finished(worker)).toMatchObject([{ task_id: id, outcome: 'stopped' }]);

    // not counted: the next one has the only attempt there is
    const next = place.worker('echo done', ['--once', '--attempts', '1']);
    expect(statusText(await place.reaches(id, 'COMPLETED'))).toBe('done');
    await next.ended;
    expect(finished(next)).toMatchObject([{ attempt: 1 }]);
  });

  test('while it waits ends at once', async () => {
    const place = await workPlace();
    const worker = place.worker('true');
    await worker.waitForError(/Waits for handoffs/);
    worker.kill('SIGTERM');
    expect(await worker.ended).toEqual({ code: 0, signal: null });
    expect(worker.stdout()).toBe('');
  });
});

test('a relay that is started anew in the middle gets the answer, once', async () => {
  let port = 0;
  const wire = await proxyForTest(() => port);
  const place = await workPlace({ publicUrl: wire.url });
  ({ port } = place.relay);
  const id = await place.send('While you are away');
  const [log, gate] = [join(place.dir, 'log'), join(place.dir, 'gate')];
  const worker = place.worker(
    place.script(`
      import { appendFileSync, existsSync } from 'node:fs';
      appendFileSync(${JSON.stringify(log)}, 'run\\n');
      const say = (line) => console.log(JSON.stringify(line));
      while (!existsSync(${JSON.stringify(gate)})) await new Promise((go) => setTimeout(go, 10));
      for (let n = 1; n <= 3; n++) say({ type: 'artifact', name: 'no ' + n, text: 'text' });
      say({ type: 'complete', summary: 'All along.' });
    `),
    [],
    { url: wire.url },
  );
  await expect.poll(() => linesOf(log), { timeout: 15_000 }).toHaveLength(1);
  await place.relay.relay.close();
  // the command has its answer while there is no relay
  writeFileSync(gate, '');

  const again = await createRelay({ dataDir: place.relay.dataDir, name: 'acme', publicUrl: wire.url });
  onTestFinished(() => again.close());
  port = Number(new URL(await again.listen({ host: '127.0.0.1', port: 0 })).port);
  await expect.poll(() => finished(worker), { timeout: 20_000 }).toMatchObject([{ task_id: id, outcome: 'completed' }]);
  const frank = new A2aClient({ url: wire.url, apiKey: place.frank.apiKey });
  const task = await frank.call('GetTask', { id });
  expect([statusText(task), task.artifacts?.map(({ name }) => name)]).toEqual(['All along.', ['no 1', 'no 2', 'no 3']]);
  expect(linesOf(log)).toHaveLength(1);
});

test('a relay that is away is waited for, which is said once', async () => {
  let port = 0;
  const wire = await proxyForTest(() => port);
  const place = await workPlace({ publicUrl: wire.url });
  // a port on which nobody listens
  port = 1;
  const worker = place.worker('echo done', ['--once'], { url: wire.url });
  await worker.waitForError(/The relay cannot be reached/);
  ({ port } = place.relay);
  const id = await place.send('Still there?');
  await place.reaches(id, 'COMPLETED');
  await worker.ended;
  expect(worker.stderr().match(/cannot be reached|can be reached again/g)).toEqual([
    'cannot be reached',
    'can be reached again',
  ]);
});

test('an app that is started anew is found again, whatever its port', async () => {
  const home = tempDir();
  const first = await runApp(home);
  const { api_key: key } = await first.desk.call('registerAgent', { handle: 'mia' }, 'human');
  const worker = agentrelay(home, ['worker', '--exec', 'echo here again', '--once']);
  await worker.waitForError(/Waits for handoffs/);
  await first.close();
  await worker.waitForError(/The relay cannot be reached/);
  const second = await runApp(home);
  const mia = new A2aClient({ url: second.relayUrl, apiKey: key });
  await mia.call('SendMessage', { ...message('m1'), configuration: { returnImmediately: true } }, { at: '/a/frank' });
  expect(await worker.ended).toEqual({ code: 0, signal: null });
  expect(worker.stdout()).toMatch(/from mia@acme .* completed/);
});

describe('for whom a worker works', () => {
  test("is the app's own account, where nobody says otherwise", async () => {
    const home = tempDir();
    const app = await runApp(home);
    const { api_key: key } = await app.desk.call('registerAgent', { handle: 'mia' }, 'human');
    const worker = agentrelay(home, ['worker', '--exec', 'echo by the app', '--once', '--as', 'frank']);
    const mia = new A2aClient({ url: app.relayUrl, apiKey: key });
    await mia.call('SendMessage', { ...message('m1'), configuration: { returnImmediately: true } }, { at: '/a/frank' });
    expect(await worker.ended).toEqual({ code: 0, signal: null });
    expect(worker.stdout()).toMatch(/from mia@acme .* completed/);
  });

  test('has to be somebody: an account of the app, or whose key it has', async () => {
    const home = tempDir();
    const run = async (args: readonly string[]): Promise<readonly [number | null, string]> => {
      const ended = agentrelay(home, ['worker', '--exec', 'true', ...args]);
      return [(await ended.ended).code, ended.stderr()];
    };
    expect(await run([])).toEqual([3, expect.stringContaining('does not run on')]);
    const app = await runApp(home);
    expect(await run(['--as', 'mia'])).toEqual([1, expect.stringContaining('--as mia is no account of this desk')]);
    const unknown = join(home, 'unknown-key');
    writeFileSync(unknown, 'ar_unknown');
    expect(await run(['--key-file', unknown])).toEqual([1, expect.stringContaining('unknown, was revoked')]);
    const { api_key: key } = await app.desk.call('registerAgent', { handle: 'mia' }, 'human');
    writeFileSync(unknown, key);
    expect(await run(['--key-file', unknown, '--as', 'frank'])).toEqual([
      1,
      expect.stringContaining("is not whose key this is: that is mia's"),
    ]);
  });
});
