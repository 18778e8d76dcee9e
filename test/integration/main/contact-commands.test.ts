import { describe, expect, it } from 'vitest';
import type { ContactView } from '../../../relay/contract/contact.ts';
import { A2aClient, message, reasonOf } from '../../support/a2a-client.ts';
import { runOn } from '../../support/command-line.ts';
import { rawDangers } from '../../support/raw-dangers.ts';
import { runApp } from '../../support/running-app.ts';
import { tempDir } from '../../support/temp-dir.ts';

/** Frank's app, whose mia is a stranger to him, and asks. */
async function asked(note: string) {
  const home = tempDir();
  const app = await runApp(home);
  const { api_key: apiKey } = await app.desk.call('registerAgent', { handle: 'mia' }, 'human');
  await app.desk.call('decideContact', { handle: 'mia', decision: 'remove' }, 'human');
  const mia = new A2aClient({ url: app.relayUrl, apiKey });
  const send = () =>
    mia.rpc('SendMessage', { ...message(note), configuration: { returnImmediately: true } }, { at: '/a/frank' });
  expect((await send()).body).toContain('CONTACT_REQUESTED');
  return { home, app, mia, send };
}

async function listed(home: string): Promise<{ contacts: ContactView[]; requests: ContactView[] }> {
  const { code, stdout } = await runOn(home, ['contacts', '--json']);
  expect(code).toBe(0);
  return JSON.parse(stdout) as { contacts: ContactView[]; requests: ContactView[] };
}

describe('agentrelay contacts', () => {
  it('shows who asks, in their words, and how to answer', async () => {
    const { home } = await asked('May I?\u001b[2J\u202e');
    const { contacts, requests } = await listed(home);
    expect([contacts, requests]).toMatchObject([[], [{ handle: 'mia@acme', incoming: 'requested' }]]);
    const { stdout } = await runOn(home, ['contacts']);
    expect(stdout).toMatch(/^Requests\n {2}mia@acme +asks to reach you +text of May I\?/);
    expect(stdout).toContain('agentrelay contact accept|decline <handle>');
    expect(rawDangers(stdout)).toEqual([]);
  });

  it('says so where there is nobody', async () => {
    const home = tempDir();
    await runApp(home);
    expect(await runOn(home, ['contacts'])).toEqual({ code: 0, stdout: 'Nobody yet.\n', stderr: '' });
  });

  it('has whoever is registered here among its contacts at once', async () => {
    const home = tempDir();
    const app = await runApp(home);
    const { api_key: apiKey } = await app.desk.call('registerAgent', { handle: 'bot', kind: 'a2a' }, 'human');
    expect((await listed(home)).contacts).toMatchObject([
      { handle: 'bot@acme', incoming: 'accepted', outgoing: 'accepted' },
    ]);
    expect((await runOn(home, ['handoff', 'bot', '-m', 'Hello'])).code).toBe(0);
    const bot = new A2aClient({ url: app.relayUrl, apiKey });
    expect((await bot.call('ListTasks', {})).tasks).toHaveLength(1);
  });
});

describe('agentrelay contact', () => {
  it('accepts, so that the same message gets through', async () => {
    const { home, send } = await asked('May I?');
    expect(await runOn(home, ['contact', 'accept', 'mia'])).toEqual({
      code: 0,
      stdout: 'mia@acme: contact.\n',
      stderr: '',
    });
    expect((await send()).body).toContain('TASK_STATE_SUBMITTED');
  });

  it('declines, and says no more than that to who asked', async () => {
    const { home, send } = await asked('May I?');
    expect((await runOn(home, ['contact', 'decline', 'mia@acme'])).stdout).toBe('mia@acme: declined.\n');
    expect((await send()).body).toContain('CONTACT_DECLINED');
    expect((await runOn(home, ['contact', 'remove', 'mia'])).code).toBe(0);
    expect((await send()).body).toContain('CONTACT_REQUESTED');
  });

  it.each([
    [['contact', 'adopt', 'mia'], 2, 'contact takes accept, decline, remove'],
    [['contact', 'accept'], 2, 'contact needs <handle>'],
    [['contact', 'accept', 'nobody-here'], 1, 'No agent of this relay has that handle'],
    [['contact', 'accept', 'm\u0456a'], 1, 'A handle is name or name@relay'],
    [['contact', 'accept', 'frank'], 1, 'is your own'],
    [['block', 'frank'], 1, 'is your own'],
  ])('refuses %j', async (args, code, why) => {
    const home = tempDir();
    await runApp(home);
    const result = await runOn(home, args);
    expect([result.code, result.stderr]).toEqual([code, expect.stringContaining(why)]);
  });
});

describe('agentrelay block', () => {
  it('shuts somebody out until it is lifted, and both are written down with who did it', async () => {
    const { home, app, mia, send } = await asked('May I?');
    await runOn(home, ['contact', 'accept', 'mia']);
    expect(await runOn(home, ['block', 'mia'])).toEqual({ code: 0, stdout: 'mia@acme: blocked.\n', stderr: '' });
    expect((await send()).body).toContain('CONTACT_DECLINED');
    const error = await app.desk
      .call('sendHandoff', { to: 'mia', body: 'x' }, 'human')
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ reason: 'CONTACT_REQUIRED' });
    expect((await runOn(home, ['unblock', 'mia'])).stdout).toBe('mia@acme: contact.\n');
    expect((await send()).body).toContain('TASK_STATE_SUBMITTED');
    expect(reasonOf(await mia.fail('SendMessage', message('x'), { at: '/a/mia' }))).toBe('INVALID_PARAMS');
    const { rows } = await app.desk.call('listAudit', { from: 'mia' }, 'human');
    expect(rows.map(({ action, actor }) => `${action} ${actor}`).toReversed()).toMatchObject([
      'agent_registered human',
      'contact_removed human',
      'contact_requested peer',
      'contact_accepted cli',
      'blocked cli',
      'unblocked cli',
      'handoff_received peer',
      'trust_decision desk',
    ]);
  });
});
