import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../../main/cli/main.ts';
import { thisMachine } from '../../../main/settings.ts';
import { HOSTILE_STRINGS, hostilePieces } from '../../support/hostile-corpus.ts';
import { hostileWorld, type HostileWorld } from '../../support/hostile-world.ts';
import { rawDangers, rawDangersIn } from '../../support/raw-dangers.ts';

// What peers write goes through a real relay and a real desk to everything that the product puts out.

let world: HostileWorld;
beforeAll(async () => {
  world = await hostileWorld();
}, 30_000);
afterAll(() => world.close());

interface Printed {
  readonly args: readonly string[];
  readonly stdout: string;
  readonly stderr: string;
}

/** A command of frank's, and what it printed. */
async function agentrelay(...args: readonly string[]): Promise<Printed> {
  let stdout = '';
  let stderr = '';
  await runCommand([...args, '--home', world.home], {
    machine: { ...thisMachine(), env: {} },
    terminal: { columns: 200, now: Date.now() },
    readInput: async () => Buffer.from(''),
    out: (text) => (stdout += text),
    error: (text) => (stderr += text),
  });
  return { args, stdout, stderr };
}

/** The same as text and as JSON. */
async function bothWays(...args: readonly string[]): Promise<readonly Printed[]> {
  return [await agentrelay(...args), await agentrelay(...args, '--json')];
}

function expectClean(printed: readonly Printed[]): void {
  for (const { args, stdout, stderr } of printed) {
    const what = args.join(' ').slice(0, 80);
    expect({ what, stdout: rawDangers(stdout), stderr: rawDangers(stderr) }).toEqual({ what, stdout: [], stderr: [] });
    expect({ what, isSilent: stdout === '' && stderr === '' }).toEqual({ what, isSilent: false });
    if (args.includes('--json')) expect(stdout.trimEnd()).not.toContain('\n');
  }
}

describe('the terminal', () => {
  it('lists handoffs, one a line, whatever their subjects say', async () => {
    const subjects = new Set<string>();
    let cursor: readonly string[] = [];
    do {
      const args = ['inbox', '--limit', '100', ...cursor];
      const [text, json] = await bothWays(...args);
      if (text === undefined || json === undefined) throw new Error('nothing was printed');
      expectClean([text, json]);
      const { items, next_cursor: next } = JSON.parse(json.stdout) as Inbox;
      expect(text.stdout.trimEnd().split('\n')).toHaveLength(items.length + (next === '' ? 2 : 4));
      for (const { handoff } of items) subjects.add(handoff.summary);
      cursor = next === '' ? [] : ['--cursor', next];
    } while (cursor.length > 0);
    // programs get them as they were sent
    expect(subjects).toContain('invoice\u202efdp.exe');
    expect(subjects).toContain('\u001b[31mred\u001b[0m');
  });

  it('shows threads with every string in every part, reason, proposal and artifact', async () => {
    for (const id of world.threads) expectClean(await bothWays('show', id));
  });

  it('says what became of each step', async () => {
    const [one = '', two = '', three = '', four = '', five = ''] = world.received;
    expectClean(await bothWays('accept', one, '-m', 'taken'));
    expectClean(await bothWays('reply', one, '-m', 'so far'));
    expectClean(await bothWays('complete', one, '-m', 'done'));
    expectClean(await bothWays('decline', two, '-m', 'no'));
    expectClean(await bothWays('accept', three));
    expectClean(await bothWays('ask', three, '-m', 'which?'));
    expectClean(await bothWays('fail', four, '-m', 'cannot'));
    expectClean(await bothWays('cancel', five));
    expectClean(await bothWays('handoff', 'mallory', '-m', 'for you'));
    expectClean(await bothWays('redeliver', world.threads.at(-1) ?? ''));
    expectClean([...(await bothWays('status')), ...(await bothWays('dead-letters')), ...(await bothWays('open'))]);
  });

  it('says what a worker answered', async () => {
    const subject = '\u001b[2Jnothing to see\u202e here\u009b31m';
    await world.send(subject);
    const printed = await agentrelay('worker', '--once', '--exec', 'cat');
    expectClean([printed]);
    expect(printed.stdout).toContain('from mallory@acme');
  });

  it('quotes what it does not understand', async () => {
    for (const text of HOSTILE_STRINGS) {
      expectClean([...(await bothWays(text)), ...(await bothWays('register', 'x', '--relay', text))]);
    }
    for (const text of hostilePieces(200)) {
      expectClean([...(await bothWays('handoff', text, '-m', 'x')), ...(await bothWays('show', text))]);
    }
  });
});

describe('the relay', () => {
  const get = async (path: string): Promise<unknown> => {
    const { status, body } = await world.mallory.http('GET', path);
    expect(status).toBe(200);
    return JSON.parse(body);
  };

  it('lists agents and shows their cards without what they hid in them', async () => {
    let cursor = '';
    let agents = 0;
    do {
      const page = (await get(`/v1/directory?limit=50&cursor=${encodeURIComponent(cursor)}`)) as Directory;
      expect(rawDangersIn(page)).toEqual([]);
      for (const { handle } of page.agents) {
        agents += 1;
        const card = await get(`/a/${handle.split('@')[0] ?? ''}/agent-card.json`);
        expect({ handle, dangers: rawDangersIn(card) }).toEqual({ handle, dangers: [] });
      }
      cursor = page.next_cursor;
    } while (cursor !== '');
    expect(agents).toBeGreaterThan(100);
  });

  it('shows the notes of those who ask to be contacts', async () => {
    const { body } = await world.frank.http('GET', '/v1/contacts?limit=1000');
    const { contacts } = JSON.parse(body) as { contacts: readonly { note?: string }[] };
    expect(contacts.filter(({ note }) => note !== undefined)).toHaveLength(hostilePieces(200).length);
    expect(rawDangersIn(contacts)).toEqual([]);
  });

  it('lets its guide speak of them', async () => {
    for (const text of ['who knows mallory?', ...hostilePieces(250).map((piece) => `who knows ${piece}`)]) {
      const { body } = await world.mallory.rpc('SendMessage', {
        message: { messageId: 'g', role: 'ROLE_USER', parts: [{ text }] },
      });
      const { result } = JSON.parse(body) as { result: unknown };
      expect(rawDangersIn(result)).toEqual([]);
    }
  });

  it('quotes in its errors what it does not understand', async () => {
    for (const text of HOSTILE_STRINGS) {
      const answers = await Promise.all([
        world.mallory.rpc(text, {}),
        world.mallory.rpc('GetTask', { id: text }),
        world.mallory.rpc('SendMessage', { message: { messageId: text, role: text, parts: [{ [text]: text }] } }),
        world.mallory.rpc('SendMessage', {
          message: { messageId: 'x', role: 'ROLE_USER', parts: [{ text }] },
          recipient: text,
        }),
        world.mallory.rpc('tasks/update', { task_id: text, transition: text }),
        world.mallory.http('GET', `/v1/directory?cursor=${encodeURIComponent(text.toWellFormed())}`),
        world.mallory.http('GET', `/${encodeURIComponent(text.toWellFormed())}`),
      ]);
      for (const { body } of answers)
        expect({ text, body, dangers: errorDangers(body) }).toMatchObject({ dangers: [] });
    }
  });

  it('counts without their words', async () => {
    const metrics = await (await fetch(`${world.app.relayUrl}/metrics`)).text();
    expect(rawDangers(metrics)).toEqual([]);
    expect(metrics).not.toContain('agentrelay_fake_total');
    for (const line of metrics.trimEnd().split('\n')) expect(line).toMatch(/^# |^[a-z_]+(?:\{[^}]*\})? [\d.e+-]+$/i);
  });
});

it('keeps a log of one JSON object a line, whatever was sent', async () => {
  for (const text of HOSTILE_STRINGS) world.app.logger.error({ err: new Error(text), [text]: text }, text);
  const lines = (await readFile(join(world.home, 'logs/agentrelay.log'), 'utf8')).trimEnd().split('\n');
  expect(lines.length).toBeGreaterThan(HOSTILE_STRINGS.length);
  for (const line of lines)
    expect({ line: rawDangers(line), json: typeof JSON.parse(line) }).toEqual({ line: [], json: 'object' });
});

interface Inbox {
  readonly items: readonly { readonly handoff: { readonly summary: string } }[];
  readonly next_cursor: string;
}

interface Directory {
  readonly agents: readonly { readonly handle: string }[];
  readonly next_cursor: string;
}

/** Of an answer that is an error: the dangers in what it says. */
function errorDangers(body: string): readonly string[] {
  const { error } = JSON.parse(body) as { error?: unknown };
  return rawDangersIn(error ?? {});
}
