import { describe, expect, it } from 'vitest';
import { A2aClient } from '../../support/a2a-client.ts';
import { runOn } from '../../support/command-line.ts';
import { runApp } from '../../support/running-app.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { written } from '../../support/written.ts';

describe('agentrelay redeliver', () => {
  it('hands over again what the other side failed', async () => {
    const home = tempDir();
    const app = await runApp(home);
    const { api_key: apiKey } = await app.desk.call('registerAgent', { handle: 'bot' }, 'human');
    const bot = new A2aClient({ url: app.relayUrl, apiKey });
    const { task_id: id } = written(await app.desk.call('sendHandoff', { to: 'bot', body: 'Answer 429' }, 'human'));
    await bot.extension('tasks/update', { task_id: id, transition: 'accept' });
    await bot.extension('tasks/update', { task_id: id, transition: 'fail', reason: 'no database' });
    const { code, stdout } = await runOn(home, ['redeliver', id, '--json']);
    const done = JSON.parse(stdout) as { task_id: string; webhooks: number };
    expect([code, done.webhooks]).toEqual([0, 0]);
    expect(done.task_id).not.toBe(id);
    expect(await runOn(home, ['redeliver', id])).toEqual({
      code: 0,
      stdout: `Handed over again, as ${done.task_id}.\n`,
      stderr: '',
    });
    const refused = await runOn(home, ['redeliver', done.task_id]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('There is nothing to deliver again: it is pending');
  });

  it('refuses an id that is too short to be meant', async () => {
    const home = tempDir();
    await runApp(home);
    expect((await runOn(home, ['redeliver', 'x'])).code).toBe(2);
  });
});

describe('agentrelay dead-letters', () => {
  it('says so when there are none', async () => {
    const home = tempDir();
    await runApp(home);
    expect(await runOn(home, ['dead-letters'])).toEqual({
      code: 0,
      stdout: 'Nothing: webhooks have taken everything.\n',
      stderr: '',
    });
    expect(JSON.parse((await runOn(home, ['dead-letters', '--json'])).stdout)).toEqual({ items: [] });
  });
});
