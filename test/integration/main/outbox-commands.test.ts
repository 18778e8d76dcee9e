import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Kept, Written } from '../../../relay/contract/desk-api.ts';
import type { OutboxItem } from '../../../relay/contract/outbox.ts';
import { createKey } from '../../../relay/identity/keys.ts';
import { A2aClient } from '../../support/a2a-client.ts';
import { runOn } from '../../support/command-line.ts';
import { decide } from '../../support/contacts.ts';
import { rawDangers } from '../../support/raw-dangers.ts';
import { runApp } from '../../support/running-app.ts';
import { tempDir } from '../../support/temp-dir.ts';

/** Frank's app, where mia is a contact and priya a stranger. */
async function franks() {
  const home = tempDir();
  const app = await runApp(home);
  const agent = async (handle: string): Promise<A2aClient> => {
    const { api_key: apiKey } = await app.desk.call('registerAgent', { handle }, 'human');
    return new A2aClient({ url: app.relayUrl, apiKey, handle });
  };
  const [mia, priya] = [await agent('mia'), await agent('priya')];
  await priya.http('DELETE', '/v1/contacts/frank');
  const cli = (...args: string[]) => runOn(home, args);
  return {
    app,
    mia,
    priya,
    cli,
    async kept(...args: string[]): Promise<Kept> {
      const { code, stdout } = await cli('handoff', ...args, '--json');
      expect([code, stdout]).toEqual([0, expect.stringContaining('outbox_id')]);
      return JSON.parse(stdout) as Kept;
    },
    waiting: async () => (JSON.parse((await cli('outbox', '--json')).stdout) as { items: OutboxItem[] }).items,
    tasksOf: async (agent_: A2aClient) => (await agent_.call('ListTasks', {})).tasks.length,
  };
}

const secret = (): string => createKey(randomBytes);

describe('agentrelay outbox', () => {
  it('is empty where everything was sent', async () => {
    const { cli, waiting } = await franks();
    expect(await cli('outbox')).toEqual({ code: 0, stdout: 'Nothing waits to be sent.\n', stderr: '' });
    expect(await waiting()).toEqual([]);
  });

  it('shows what waits, for whom and why, with what was found and never the secret itself', async () => {
    const { cli, kept, waiting } = await franks();
    const key = secret();
    const { outbox_id: id, status, findings } = await kept('mia', '-m', `Use ${key}\u001b[2J\u202e`);
    expect([status, findings.map(({ rule }) => rule)]).toEqual(['needs_human', ['agentrelay-key']]);
    await kept('priya', '-m', 'May I?');
    const { code, stdout } = await cli('outbox', 'list');
    expect(code).toBe(0);
    expect(stdout).toContain(`${id.slice(0, 13)}  waits for you        to mia@acme    now  Use •••␛[2J`);
    expect(stdout).not.toContain(key);
    expect(stdout).toMatch(/\n {2}It holds what looks like a secret.*\n {2}Found agentrelay-key in body: /);
    expect(stdout).toMatch(
      /waits for an answer {2}to priya@acme {2}now {2}May I\?\n {2}priya@acme does not know you yet/,
    );
    expect(stdout).toContain('agentrelay outbox send|drop <id>');
    expect(rawDangers(stdout)).toEqual([]);
    expect(await waiting()).toMatchObject([
      { id, account: 'frank@acme', peer: 'mia@acme', state: 'needs_human', kind: 'handoff' },
      { peer: 'priya@acme', state: 'waiting_contact', findings: [] },
    ]);
    expect(JSON.stringify((await waiting()).map(({ findings: found }) => found))).not.toContain(key);
  });

  it('shows what waits for one account alone', async () => {
    const { cli, kept } = await franks();
    await kept('priya', '-m', 'May I?');
    const items = async (as: string) => JSON.parse((await cli('outbox', '--as', as, '--json')).stdout) as unknown;
    expect(await items('frank')).toMatchObject({ items: [{ peer: 'priya@acme' }] });
    expect(await items('mia')).toMatchObject({ error: { reason: 'INVALID_PARAMS' } });
  });
});

describe('agentrelay outbox send', () => {
  it('sends what a person has looked at, once, by the beginning of its id', async () => {
    const { cli, kept, waiting, mia, tasksOf } = await franks();
    const { outbox_id: id } = await kept('mia', '-m', `Use ${secret()}`);
    expect(await tasksOf(mia)).toBe(0);
    const { code, stdout } = await cli('outbox', 'send', id.slice(0, 8), '--json');
    const { task_id: task, status } = JSON.parse(stdout) as Written;
    expect([code, status]).toEqual([0, 'queued']);
    expect((await mia.call('ListTasks', {})).tasks.map((one) => one.id)).toEqual([task]);
    expect(await waiting()).toEqual([]);
    expect(await cli('outbox', 'send', id)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Nothing with this id waits to be sent. It was sent or dropped.\nSee what waits: agentrelay outbox.\n',
    });
  });

  it('says where it stands that somebody has not answered yet, and it goes on to wait', async () => {
    const { cli, kept, waiting, priya, tasksOf } = await franks();
    const { outbox_id: id } = await kept('priya', '-m', 'May I?');
    const { code, stdout } = await cli('outbox', 'send', id);
    expect([code, stdout]).toEqual([0, expect.stringContaining('priya@acme does not know you yet')]);
    expect(await waiting()).toMatchObject([{ id, state: 'waiting_contact' }]);
    await decide(priya, 'frank', 'accept');
    await expect.poll(waiting, { timeout: 10_000 }).toEqual([]);
    expect(await tasksOf(priya)).toBe(1);
  });

  it('tries again what came back, and gives the reason where it is the same', async () => {
    const { cli, kept, waiting, priya } = await franks();
    const { outbox_id: id } = await kept('priya', '-m', 'May I?');
    await decide(priya, 'frank', 'decline');
    await expect.poll(async () => (await waiting())[0]?.state, { timeout: 10_000 }).toBe('returned');
    expect((await cli('outbox')).stdout).toContain('came back');
    const { code, stderr } = await cli('outbox', 'send', id);
    expect([code, stderr]).toEqual([1, 'priya@acme takes nothing from you. Nothing was stored.\n']);
    expect(await waiting()).toMatchObject([{ id, state: 'returned' }]);
  });
});

describe('agentrelay outbox drop', () => {
  it('drops what was not sent', async () => {
    const { cli, kept, waiting, mia, tasksOf } = await franks();
    const { outbox_id: id } = await kept('mia', '-m', `Use ${secret()}`);
    expect(await cli('outbox', 'drop', id)).toEqual({ code: 0, stdout: 'Dropped. It was never sent.\n', stderr: '' });
    expect([await waiting(), await tasksOf(mia)]).toEqual([[], 0]);
    expect((await cli('outbox', 'drop', id, '--json')).stdout).toContain('OUTBOX_ITEM_NOT_FOUND');
  });

  it.each([
    [['outbox', 'drop'], 'outbox drop needs <id>'],
    [['outbox', 'drop', 'abc'], 'too short for an id'],
    [['outbox', 'send', 'abc'], 'too short for an id'],
    [['outbox', 'flush'], 'outbox takes list, send, drop'],
  ])('refuses %j before it looks for the app', async (args, why) => {
    const { code, stderr } = await runOn(tempDir(), args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
  });
});
