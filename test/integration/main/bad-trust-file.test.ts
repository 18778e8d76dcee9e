import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type RunningApp } from '../../../main/app.ts';
import type { InboxItem } from '../../../relay/contract/desk-api.ts';
import type { TrustView } from '../../../relay/contract/trust.ts';
import { A2aClient, message } from '../../support/a2a-client.ts';
import { runOn } from '../../support/command-line.ts';
import { appOptions } from '../../support/running-app.ts';

// What a trust.yaml that cannot be used does to a real app: nothing gets through, nothing is lost, and it is said why.

const LISTED = 'version: 1\nteammates:\n  mia@acme: {}\n';
/** Each value stands for nine of the one before: a billion in all. */
const BOMB = `version: 1\na: &a [x]\n${Array.from(
  { length: 9 },
  (_one, at) => `${'bcdefghij'[at]}: &${'bcdefghij'[at]} [${Array(9).fill(`*${'abcdefghi'[at]}`).join(', ')}]`,
).join('\n')}\n`;

const home = mkdtempSync(join(tmpdir(), 'agentrelay-test-'));
const file = join(home, 'trust.yaml');
let app: RunningApp;
let mia: A2aClient;

beforeAll(async () => {
  const started = await startApp(appOptions(home));
  if (started.kind !== 'started') throw new Error('another one runs');
  ({ app } = started);
  const { api_key: apiKey } = await app.desk.call('registerAgent', { handle: 'mia' }, 'human');
  mia = new A2aClient({ url: app.relayUrl, apiKey });
});

afterAll(async () => {
  await app.close();
  rmSync(home, { recursive: true, force: true });
});

/** Something that mia, a contact and a teammate, hands over to frank; its id. */
async function sent(text: string): Promise<string> {
  const params = { ...message(text), configuration: { returnImmediately: true } };
  const answer = await mia.call('SendMessage', params, { at: '/a/frank' });
  if (!('task' in answer)) throw new Error('no task came of it');
  return answer.task.id;
}

async function itemOf(id: string): Promise<InboxItem | undefined> {
  const { stdout } = await runOn(home, ['inbox', '--json']);
  return (JSON.parse(stdout) as { items: InboxItem[] }).items.find((item) => item.task_id === id);
}

async function groupOf(id: string): Promise<string | undefined> {
  return (await itemOf(id))?.group;
}

describe('a trust.yaml with', () => {
  it.each<readonly [string, string | (() => Buffer), number, RegExp]>([
    ['nothing in it', '', 1, /empty/],
    ['something else than rules', '\u0000\u0001\u0002 GIF89a\n', 1, /keys and values/],
    ['fifty megabytes', () => Buffer.alloc(50_000_000, `${LISTED}#`), 1, /more than 128000 characters/],
    ['values that stand for a billion others', BOMB, 3, /alias/],
    ['brackets, thousands deep', `${LISTED}blocked: ${'['.repeat(40_000)}\n`, 1, /too deep/],
    ['a key that stands there twice', `${LISTED}teammates:\n  eve@acme: {}\n`, 4, /unique/],
    ['a tab', 'version: 1\nteammates:\n\tmia@acme: {}\n', 3, /[Tt]ab/],
    ['a word for a flag', `${LISTED}defaults:\n  auto_read: sometimes\n`, 5, /true or false/],
    ['a list for a mapping', 'version: 1\nteammates:\n  - mia@acme\n', 3, /keys and values/],
    ['a mapping for a list', `${LISTED}blocked:\n  eve@acme: {}\n`, 5, /list of handles/],
    ['another version', 'version: 2\nteammates:\n  mia@acme: {}\n', 1, /version 1/],
    ['no version', 'teammates:\n  mia@acme: {}\n', 1, /version: 1/],
    ['a handle in letters that look alike', `${LISTED}  m\u0456a@acme: {}\n`, 4, /plain letters/],
    ['a blocked one in such letters', `${LISTED}blocked:\n  - \u0435ve@acme\n`, 5, /plain letters/],
  ])('%s holds everything, says the line, and is left as it is', async (_what, given, line, why) => {
    const bytes = typeof given === 'string' ? Buffer.from(given) : given();
    writeFileSync(file, LISTED, { mode: 0o600 });
    const before = await sent('before');
    await expect.poll(() => groupOf(before), { timeout: 10_000 }).toBe('needs_you');
    writeFileSync(file, bytes);

    const meanwhile = await sent('while it is wrong');
    expect([await groupOf(before), await groupOf(meanwhile)]).toEqual(['held', 'held']);
    expect((await app.desk.call('listHandoffs', {}, 'claude-code')).items).toEqual([]);
    // whoever sent it is told that much
    await expect
      .poll(async () => (await itemOf(meanwhile))?.handoff.receipts.recipient.held, { timeout: 10_000 })
      .toBe(true);

    const { code, stdout } = await runOn(home, ['trust', 'list', '--json']);
    const view = JSON.parse(stdout) as TrustView;
    expect([code, view.usable, view.findings[0]]).toEqual([0, false, { line, message: expect.stringMatching(why) }]);
    expect((await runOn(home, ['trust'])).stdout).toContain(`${file}:${line}: `);
    expect((await runOn(home, ['trust', 'explain', 'mia'])).stdout).toContain('is held until you decide');
    const check = await runOn('', ['trust', 'check', file]);
    expect([check.code, check.stdout]).toEqual([1, expect.stringContaining(`${file}:${line}: `)]);

    for (const args of [
      ['set', 'mia'],
      ['forget', 'mia'],
      ['defaults', '--read', 'on'],
      ['unknown', 'hold'],
    ]) {
      const refused = await runOn(home, ['trust', ...args]);
      expect([args, refused.code, refused.stderr]).toEqual([args, 1, expect.stringContaining(`${file} `)]);
      expect(refused.stderr).toContain('agentrelay trust list');
    }
    expect(readFileSync(file).equals(bytes)).toBe(true);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);

    writeFileSync(file, LISTED);
    const groups = async (): Promise<unknown[]> => [await groupOf(before), await groupOf(meanwhile)];
    await expect.poll(groups, { timeout: 10_000 }).toEqual(['needs_you', 'needs_you']);
    expect(await groupOf(await sent('after'))).toBe('needs_you');
  });

  it('an error lets the one who blocks somebody know that the relay has done so, and the file cannot', async () => {
    writeFileSync(file, 'version: 2\n');
    const { code, stderr } = await runOn(home, ['block', 'mia']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('has an error')]);
    expect((await runOn(home, ['contacts'])).stdout).toContain('mia@acme  blocked');
    await expect(sent('let me in')).rejects.toThrow('CONTACT_DECLINED');
  });
});
