import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunningApp } from '../../../main/app.ts';
import { agentrelay, startProcess } from '../../support/app-process.ts';
import type { InboxItem } from '../../../relay/contract/desk-api.ts';
import { runOn, type CommandSurroundings } from '../../support/command-line.ts';
import { runApp } from '../../support/running-app.ts';
import { tempDir } from '../../support/temp-dir.ts';

/** The command with --json: its one value, and that it said nothing else. */
async function json(
  home: string,
  args: readonly string[],
  options?: CommandSurroundings,
): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await runOn(home, [...args, '--json'], options);
  expect(stdout.split('\n')).toHaveLength(2);
  const value = JSON.parse(stdout) as Record<string, unknown>;
  expect({ code, stderr, value }).toMatchObject({ code: 'error' in value ? expect.any(Number) : 0, stderr: '' });
  return value;
}

/** Another agent of the same relay, which speaks A2A and nothing else. */
interface Peer {
  /** Hands text to frank, and says under which id. */
  send(text: string): Promise<string>;
}

async function peer(app: RunningApp, name: string): Promise<Peer> {
  const { api_key } = await app.desk.call('registerAgent', { handle: name }, 'human');
  return {
    send: async (text) => {
      const response = await fetch(`${app.relayUrl}/a/frank`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'a2a-version': '1.0', authorization: `Bearer ${api_key}` },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'SendMessage',
          params: {
            message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text }] },
            configuration: { returnImmediately: true },
          },
        }),
      });
      const { result } = (await response.json()) as { result: { task: { id: string } } };
      const { id } = result.task;
      // the desk hears of it a moment later
      await expect
        .poll(async () => (await app.desk.call('getSnapshot', {}, 'human')).items.map((item) => item.task_id), {
          timeout: 10_000,
        })
        .toContain(id);
      return id;
    },
  };
}

async function withApp(): Promise<{ home: string; app: RunningApp; mia: Peer }> {
  const home = tempDir();
  const app = await runApp(home);
  return { home, app, mia: await peer(app, 'mia') };
}

describe('agentrelay', { timeout: 60_000 }, () => {
  it('ends with 3 when the app is not running, and says what to do', async () => {
    const home = tempDir();
    const { code, stdout, stderr } = await runOn(home, ['inbox']);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toMatch(/does not run on .*\n.*npm start/);
    expect(await json(home, ['inbox'])).toEqual({
      error: {
        reason: 'APP_NOT_RUNNING',
        message: expect.stringContaining(home),
        hint: expect.stringContaining('--home'),
      },
    });
  });

  it('ends with 2 when it is called wrongly, before it looks for the app', async () => {
    const home = tempDir();
    for (const args of [[], ['mcp'], ['inbox', '--loud'], ['handoff', 'mia'], ['show'], ['inbox', '--role', 'boss']]) {
      const { code, stdout, stderr } = await runOn(home, args);
      expect([args, code, stdout]).toEqual([args, 2, '']);
      expect(stderr).toMatch(/See agentrelay (?:inbox |handoff |show )?--help\.\n$/);
    }
    expect(await json(home, ['inbox', '--loud'])).toEqual({
      error: { reason: 'USAGE', message: expect.stringContaining('--loud'), hint: expect.any(String) },
    });
  });

  it('ends with 1 when the desk refuses, with its reason', async () => {
    const { home } = await withApp();
    const { code, stdout, stderr } = await runOn(home, ['handoff', 'nobody', '-m', 'Look']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).not.toBe('');
    expect(await json(home, ['handoff', 'nobody', '-m', 'Look'])).toMatchObject({
      error: { reason: 'RECIPIENT_NOT_FOUND', message: expect.any(String), hint: expect.any(String) },
    });
  });

  it('ends with 1 when it cannot read a file', async () => {
    const home = tempDir();
    writeFileSync(join(home, 'binary'), Buffer.from([0xff, 0xfe, 0x00]));
    for (const file of ['missing.diff', join(home, 'binary'), home]) {
      expect(await json(home, ['handoff', 'mia', '-m', 'Look', '--diff', file])).toMatchObject({
        error: { reason: 'FILE_NOT_READABLE', message: expect.stringContaining(file) },
      });
    }
  });

  it('ends with 1 when what it reads from stdin is no text, as with a file', async () => {
    const home = tempDir();
    const input = Buffer.from([0x63, 0x61, 0x66, 0xe9]);
    expect(await json(home, ['handoff', 'mia', '-m', 'Look', '--diff', '-'], { input })).toMatchObject({
      error: {
        reason: 'FILE_NOT_READABLE',
        message: 'stdin cannot be read: it is not text in UTF-8.',
        hint: expect.stringContaining('UTF-8'),
      },
    });
  });

  it('ends with 3 where no app can have written what says that one runs', async () => {
    for (const [name, text] of [
      ['instance.json', '{'],
      ['instance.json', '{"pid": 1}'],
      ['token', ''],
    ] as const) {
      const home = tempDir();
      mkdirSync(join(home, 'run'));
      for (const file of ['instance.json', 'token']) writeFileSync(join(home, 'run', file), '{}');
      writeFileSync(join(home, 'run', name), text);
      expect(await json(home, ['status'])).toMatchObject({
        error: { reason: 'APP_NOT_RUNNING', message: expect.stringContaining('is damaged. End it if it runs.') },
      });
    }
    const folder = tempDir();
    mkdirSync(join(folder, 'run/instance.json'), { recursive: true });
    mkdirSync(join(folder, 'run/token'));
    for (const home of [folder, '/dev/null', '/dev/null/data']) expect((await runOn(home, ['status'])).code).toBe(3);
  });

  it('finds the data folder by AGENTRELAY_HOME too', async () => {
    const home = tempDir();
    await runApp(home);
    const { code, stdout } = await runOn('', ['status', '--json'], { env: { AGENTRELAY_HOME: home } });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ relay: { name: 'acme' } });
  });

  it('prints its help without the app', async () => {
    const { code, stdout } = await runOn(tempDir(), ['--help']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Usage: agentrelay/);
    expect((await runOn(tempDir(), ['help'])).stdout).toBe(stdout);
    expect((await runOn(tempDir(), ['help', 'show'])).stdout).toBe((await runOn(tempDir(), ['show', '--help'])).stdout);
  });

  it('prints its version without the app', async () => {
    expect((await runOn(tempDir(), ['--version'])).stdout).toBe('agentrelay 0.0.0-test\n');
    expect(await json(tempDir(), ['--version'])).toEqual({ version: '0.0.0-test' });
  });

  it('says what is wrong in plain sentences', async () => {
    const { home, mia } = await withApp();
    await mia.send('Look');
    const said = async (args: readonly string[]): Promise<string> => (await runOn(home, args)).stderr;
    expect(await said(['handoff', 'frank', '-m', 'x'])).toMatch(/^The recipient is the sender\./);
    expect(await said(['handoff', 'nobody', '-m', 'x'])).toMatch(/agentrelay register/);
    expect(await said(['handoff', 'Not a handle', '-m', 'x'])).toMatch(/^A handle is name or name@relay/);
    expect(await said(['inbox', '--as', 'nobody'])).toMatch(/^--as nobody is no account of this desk\./);
    expect(await said(['inbox', '--cursor', 'x'])).toMatch(/^--cursor is no /);
    expect(await said(['show', 'zzz'])).toMatch(/^None of your handoffs has this id\.\n.*agentrelay inbox/);
    expect(await said(['show', '..'])).toMatch(/^None of your handoffs/);
  });
});

describe('bin/agentrelay', { timeout: 60_000 }, () => {
  it('is the same in a process of its own: output, input, exit code', async () => {
    const home = tempDir();
    const app = startProcess({ home });
    await app.waitFor(/^Ready$/m);
    const registered = agentrelay(home, ['register', 'mia', '--json']);
    expect((await registered.ended).code).toBe(0);
    expect(JSON.parse(registered.stdout())).toMatchObject({ handle: 'mia@acme' });

    const sent = agentrelay(home, ['handoff', 'mia', '-m', 'Look', '--diff', '-'], { input: '--- a/x\n+++ b/x\n' });
    expect((await sent.ended).code).toBe(0);
    expect(sent.stdout()).toMatch(/^Handoff +[\w-]{36}\nTo +mia\nState +pending\n/);

    const refused = agentrelay(home, ['show', 'no-such-handoff']);
    expect((await refused.ended).code).toBe(1);
    expect(refused.stderr()).toMatch(/agentrelay inbox/);

    const wrong = agentrelay(home, ['show']);
    expect((await wrong.ended).code).toBe(2);

    const unread = agentrelay(home, ['show']);
    unread.closeOutput();
    expect((await unread.ended).code).toBe(2);

    const subject = 'Look at the limiter and tell me whether it may stay as it is when the store is away. '.repeat(2);
    expect((await agentrelay(home, ['handoff', 'mia', '-m', subject]).ended).code).toBe(0);
    const inbox = agentrelay(home, ['inbox']);
    expect((await inbox.ended).code).toBe(0);
    expect(inbox.stdout()).toContain(subject.trim());

    app.kill('SIGKILL');
    await app.ended;
    const late = agentrelay(home, ['status', '--json']);
    expect((await late.ended).code).toBe(3);
    expect(JSON.parse(late.stdout())).toMatchObject({ error: { reason: 'APP_NOT_RUNNING' } });
  });
});

describe('agentrelay status', { timeout: 60_000 }, () => {
  it('says where everything is and how the accounts stand', async () => {
    const { home, app } = await withApp();
    expect(await json(home, ['status'])).toEqual({
      version: expect.any(String),
      relay: { url: app.relayUrl, name: 'acme', id: expect.any(String) },
      window: { url: 'http://127.0.0.1:1' },
      mcp: { socket: app.socketPath },
      accounts: [{ handle: 'frank@acme', relay: app.relayUrl, state: 'connected', unread: 0 }],
      sessions: [],
      pairings: [],
    });
    expect((await runOn(home, ['status'])).stdout).toContain(`Relay   ${app.relayUrl} (acme)`);
  });
});

describe('agentrelay open', { timeout: 60_000 }, () => {
  it('has the app show its window, and says where that is', async () => {
    const { home } = await withApp();
    expect(await json(home, ['open'])).toEqual({ url: 'http://127.0.0.1:1/#token' });
    expect((await runOn(home, ['open'])).stdout).toBe('Window  http://127.0.0.1:1/#token\n');
  });

  it('starts nothing', async () => {
    expect((await runOn(tempDir(), ['open'])).code).toBe(3);
  });
});

describe('agentrelay register', { timeout: 60_000 }, () => {
  it('makes an agent and shows its key', async () => {
    const { home, app } = await withApp();
    const flags = ['--name', 'Ext', '--role', 'review', '--skill', 'go', '--skill', 'sql', '--kind', 'a2a'];
    expect(await json(home, ['register', 'ext-bot', ...flags])).toEqual({
      handle: 'ext-bot@acme',
      endpoint: `${app.relayUrl}/a/ext-bot`,
      card_url: expect.stringContaining('/ext-bot/'),
      api_key: expect.stringMatching(/^ar_[\w-]{43}$/),
    });
    expect(await json(home, ['register', 'ext-bot'])).toMatchObject({ error: { reason: 'HANDLE_TAKEN' } });
    expect((await runOn(home, ['register', 'priya', '--unlisted'])).stdout).toMatch(/^Key +ar_[\w-]{43}$/m);
  });
});

describe('agentrelay handoff', { timeout: 60_000 }, () => {
  it('hands work over, with everything that goes with it', async () => {
    const { home } = await withApp();
    const contract = join(home, 'api.yaml');
    writeFileSync(contract, 'openapi: 3.1.0\n');
    const sent = await json(
      home,
      [
        ['handoff', 'mia@acme', '-m', 'Fix the parser', '--intent', 'propose_action'],
        ['--action', 'Rewrite it', '--rationale', 'It is slow', '--target', 'src/a.ts'],
        ['--diff', '-', '--test', 'npm test', '--contract', contract],
        ['--link', 'https://acme.example/1', '--file', 'src/a.ts:1-5'],
      ].flat(),
      { input: '--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-old\n+new\n' },
    );
    expect(sent).toMatchObject({ task_id: expect.any(String), status: 'queued', receipt: 'queued' });
    const thread = await json(home, ['show', String(sent['task_id'])]);
    expect(thread).toMatchObject({
      item: {
        peer: 'mia@acme',
        handoff: {
          intent: 'propose_action',
          summary: 'Fix the parser',
          artifact_types: ['file_diff', 'test_command', 'api_contract', 'link', 'file_ref'],
        },
      },
      events: [
        {
          kind: 'created',
          author: 'cli',
          proposedAction: { description: 'Rewrite it', target_files: ['src/a.ts'], rationale: 'It is slow' },
        },
      ],
    });
  });

  it('goes on from another one, whose id may be cut short, and begins a new chain as a person does', async () => {
    const { home, mia } = await withApp();
    const earlier = await mia.send('Can you look?');
    const { task_id } = await json(home, ['handoff', 'mia', '-m', 'Look', '--follows', earlier.slice(0, 18)]);
    const { events, item } = await json(home, ['show', String(task_id)]);
    expect(events).toMatchObject([{ message: { referenceTaskIds: [earlier] } }]);
    expect((item as InboxItem).handoff).not.toHaveProperty('hops');
  });

  it.each([
    [['--follows', '01'], /too short for an id/],
    [['--intent', 'propose_action'], /--action/],
    [['--action', 'x', '--rationale', 'y'], /--intent propose_action/],
    [['--intent', 'inform', '--target', 'a'], /--intent propose_action/],
    [['--intent', 'demand'], /inform, ask_question, propose_action/],
    [['--link', 'no link'], /--link/],
  ])('is not understood with %j', async (flags, message) => {
    const { code, stderr } = await runOn(tempDir(), ['handoff', 'mia', '-m', 'Look', ...flags]);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });

  it.each([['cancel'], ['accept'], ['reply', '-m', 'x'], ['show']])(
    'is not what an id is about that is not there: %s',
    async (command, ...flags) => {
      const { home, app } = await withApp();
      const { task_id } = await json(home, ['handoff', 'mia', '-m', 'Look']);
      for (const id of ['', ' ', ...(command === 'show' ? [] : [String(task_id).slice(0, 3)])]) {
        expect(await runOn(home, [command, id, ...flags])).toMatchObject({ code: 2, stdout: '' });
      }
      const { item } = await app.desk.call('getThread', { task_id: String(task_id) }, 'human');
      expect(item.handoff).toMatchObject({ state: 'pending', version: 1 });
    },
  );

  it('can be taken back', async () => {
    const { home } = await withApp();
    const { task_id } = await json(home, ['handoff', 'mia', '-m', 'Look']);
    expect(await json(home, ['cancel', String(task_id), '-m', 'Done already'])).toMatchObject({
      task_id,
      state: 'cancelled',
      summary: 'Look',
      recipient: 'mia@acme',
    });
  });
});

describe('agentrelay on what was received', { timeout: 60_000 }, () => {
  it('lists it, with what waits', async () => {
    const { home, mia } = await withApp();
    const id = await mia.send('Fix the parser');
    expect(await json(home, ['inbox'])).toMatchObject({
      items: [{ task_id: id, peer: 'mia@acme', unread: true, handoff: { state: 'pending' } }],
      next_cursor: '',
      waiting: 1,
    });
    expect((await runOn(home, ['inbox'])).stdout).toMatch(
      new RegExp(
        `^1 waits for you\\.\\n\\n\\* +${id.slice(0, 13)} +pending +from mia@acme +\\w+.* +Fix the parser\\n$`,
      ),
    );
    expect((await json(home, ['inbox', '--role', 'sender']))['items']).toEqual([]);
    expect((await json(home, ['inbox', '--status', 'pending', '--status', 'failed']))['items']).toHaveLength(1);
  });

  it('pages through it', async () => {
    const { home, mia } = await withApp();
    const ids = [await mia.send('one'), await mia.send('two'), await mia.send('three')];
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = await json(home, ['inbox', '--limit', '2', ...(cursor === '' ? [] : ['--cursor', cursor])]);
      seen.push(...(page['items'] as { task_id: string }[]).map((item) => item.task_id));
      cursor = String(page['next_cursor']);
    } while (cursor !== '');
    expect(seen).toEqual(ids.toReversed());
  });

  it('takes it from accept through a question to its end', async () => {
    const { home, mia } = await withApp();
    const id = await mia.send('Fix the parser');
    expect(await json(home, ['accept', id])).toMatchObject({ task_id: id, state: 'accepted', sender: 'mia@acme' });
    expect(await json(home, ['reply', id, '-m', 'On it'])).toMatchObject({ state: 'accepted' });
    expect(await json(home, ['ask', id, '-m', 'Which one?'])).toMatchObject({ state: 'input_required' });
    expect(await json(home, ['complete', id, '-m', 'Done', '--test', 'npm test'])).toMatchObject({
      state: 'completed',
    });
    const { stdout } = await runOn(home, ['show', id]);
    for (const said of ['Fix the parser', 'On it', 'Which one?', 'Done', '[test] npm test'])
      expect(stdout).toContain(said);
    expect(await json(home, ['reply', id, '-m', 'One more'])).toMatchObject({
      error: { reason: 'UNSUPPORTED_OPERATION' },
    });
  });

  it('refuses it, and says that it cannot be done', async () => {
    const { home, mia } = await withApp();
    const [first, second] = [await mia.send('one'), await mia.send('two')];
    expect(await json(home, ['decline', first, '-m', 'Not now'])).toMatchObject({ state: 'declined' });
    await json(home, ['accept', second]);
    expect(await json(home, ['fail', second, '-m', 'It cannot be done'])).toMatchObject({ state: 'failed' });
    expect((await runOn(home, ['show', second])).stdout).toContain('It cannot be done');
  });

  it('knows it by the beginning of its id', async () => {
    const { home, mia } = await withApp();
    const id = await mia.send('Look');
    expect(await json(home, ['show', id.slice(0, 13)])).toMatchObject({ item: { task_id: id } });
    await mia.send('Look again');
    expect(await json(home, ['show', id.slice(0, 2)])).toMatchObject({ error: { reason: 'AMBIGUOUS_ID' } });
    expect(await json(home, ['show', 'ffffffff'])).toMatchObject({ error: { reason: 'TASK_NOT_FOUND' } });
  });

  it('tells the other side nothing by looking', async () => {
    const { home, app, mia } = await withApp();
    const id = await mia.send('Look');
    await runOn(home, ['inbox']);
    await runOn(home, ['show', id]);
    const { item } = await app.desk.call('getThread', { task_id: id }, 'human');
    expect(item.handoff.receipts.recipient).toMatchObject({ surfaced: 0, acked: 0 });
  });

  it('lets nothing of it act on the terminal', async () => {
    const { home, mia } = await withApp();
    const id = await mia.send('\u001b]0;owned\u0007\u202eevil');
    for (const args of [['inbox'], ['show', id]]) {
      const { stdout } = await runOn(home, args);
      expect(stdout).toContain('␛]0;owned␇⟨U+202E⟩evil');
      expect(stdout).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
    }
  });

  it('acts for the account that --as names', async () => {
    const { home, mia } = await withApp();
    await mia.send('Look');
    expect((await json(home, ['inbox', '--as', 'frank@acme']))['items']).toHaveLength(1);
    expect(await json(home, ['inbox', '--as', 'mia@acme'])).toMatchObject({ error: { reason: 'INVALID_PARAMS' } });
  });
});
