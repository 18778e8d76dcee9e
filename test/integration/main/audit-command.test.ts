import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { RunningApp } from '../../../main/app.ts';
import type { AuditRow } from '../../../relay/contract/audit.ts';
import { A2aClient } from '../../support/a2a-client.ts';
import { rawDangers } from '../../support/raw-dangers.ts';
import { runOn } from '../../support/command-line.ts';
import { runApp } from '../../support/running-app.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { written } from '../../support/written.ts';

const run = (home: string, ...args: readonly string[]) => runOn(home, ['audit', ...args], { columns: 200 });

async function rowsOf(home: string, ...args: readonly string[]): Promise<AuditRow[]> {
  const { code, stdout } = await run(home, ...args, '--json');
  expect(code).toBe(0);
  return (JSON.parse(stdout) as { rows: AuditRow[] }).rows;
}

const acts = (rows: readonly AuditRow[]): unknown[] =>
  rows.map(({ action, actor, peer = '' }) => `${action} ${actor} ${peer}`.trim()).toReversed();

/** Frank's app, with the agent mia, whose handoff from frank is accepted and completed. */
async function busyApp(): Promise<{ home: string; app: RunningApp; taskId: string; apiKey: string }> {
  const home = tempDir();
  const app = await runApp(home);
  const { api_key: apiKey } = await app.desk.call('registerAgent', { handle: 'mia' }, 'cli');
  const mia = new A2aClient({ url: app.relayUrl, apiKey });
  const { task_id: taskId } = written(
    await app.desk.call('sendHandoff', { to: 'mia', body: 'Look at my secret plan' }, 'human'),
  );
  await mia.extension('tasks/update', { task_id: taskId, transition: 'accept' });
  await mia.extension('tasks/update', { task_id: taskId, transition: 'complete', message: 'The plan is bad' });
  await expect.poll(async () => (await rowsOf(home)).length, { timeout: 10_000 }).toBeGreaterThanOrEqual(8);
  return { home, app, taskId, apiKey };
}

describe('what an app does', { timeout: 60_000 }, () => {
  it('is written down, with who did it', async () => {
    const { home, taskId } = await busyApp();
    const rows = await rowsOf(home);
    expect(acts(rows)).toEqual([
      'app_started desk',
      'account_joined desk',
      'trust_changed desk',
      'agent_registered cli mia@acme',
      'trust_changed cli',
      'handoff_sent human mia@acme',
      'handoff_transition peer mia@acme',
      'handoff_transition peer mia@acme',
    ]);
    expect(rows[0]).toMatchObject({
      account: 'frank@acme',
      ref: taskId,
      detail: { step: 'complete', state: 'completed' },
    });
    expect(rows[6]).toMatchObject({ account: 'frank@acme', detail: { relay: 'acme' } });
    expect(rows[3]).toMatchObject({ ref: 'trust.yaml', detail: { kind: 'teammate', handle: 'mia@acme' } });
  });

  it('is one log over restarts, and the account is made once', async () => {
    const home = tempDir();
    await (await runApp(home)).close();
    await runApp(home);
    expect(acts(await rowsOf(home))).toEqual([
      'app_started desk',
      'account_joined desk',
      'trust_changed desk',
      'app_stopped desk',
      'app_started desk',
    ]);
    expect(await run(home, '--verify')).toMatchObject({ code: 0, stdout: '5 rows, each as it was written.\n' });
  });

  it('leaves no text, no key and no path in the log', async () => {
    const { home, app, apiKey } = await busyApp();
    const { stdout } = await run(home, '--format', 'jsonl');
    const secrets = Object.values(
      JSON.parse(readFileSync(join(home, 'secrets.json'), 'utf8')) as Record<string, string>,
    );
    expect(secrets).toHaveLength(2);
    for (const secret of [...secrets, apiKey, 'secret plan', 'plan is bad', home]) expect(stdout).not.toContain(secret);
    await app.close();
    expect(readFileSync(join(home, 'logs/agentrelay.log'), 'utf8')).not.toContain(secrets[0]);
  });
});

describe('agentrelay audit', { timeout: 60_000 }, () => {
  it('shows people a line an act, newest first', async () => {
    const { home, taskId } = await busyApp();
    const { code, stdout } = await run(home);
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(8);
    expect(lines[0]).toMatch(
      new RegExp(
        `^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d  handoff transition +peer +mia@acme +.*state=completed.* ${taskId}$`,
      ),
    );
    expect(lines[7]).toContain('app started');
  });

  it('shows only what is asked for', async () => {
    const { home } = await busyApp();
    const counts = async (...args: string[]): Promise<number> => (await rowsOf(home, ...args)).length;
    expect({
      action: await counts('--action', 'app_started', '--action', 'agent_registered'),
      from: await counts('--from', 'mia'),
      since: await counts('--since', '1h'),
      until: await counts('--until', '1h'),
      nobody: await counts('--from', 'alice@acme'),
      as: await counts('--as', 'frank'),
      limit: await counts('--limit', '2'),
    }).toEqual({ action: 2, from: 4, since: 8, until: 0, nobody: 0, as: 7, limit: 2 });
    expect((await run(home, '--until', '1h')).stdout).toBe('Nothing was written down that fits.\n');
  });

  it('shows page after page', async () => {
    const { home } = await busyApp();
    const { stdout } = await run(home, '--limit', '4');
    const [, cursor = ''] = /More: .* --cursor (\d+)/.exec(stdout) ?? [];
    expect((await rowsOf(home, '--limit', '4', '--cursor', cursor)).map(({ seq }) => seq)).toEqual([4, 3, 2, 1]);
  });

  it('writes all of it for other programs, oldest first, and that it did', async () => {
    const { home } = await busyApp();
    const lines = (await run(home, '--format', 'jsonl')).stdout.trimEnd().split('\n');
    const rows = lines.map((line) => JSON.parse(line) as AuditRow);
    expect(rows.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    const [newest, ...before] = await rowsOf(home);
    expect(newest).toMatchObject({ action: 'audit_exported', actor: 'cli', detail: { format: 'jsonl' } });
    expect(rows.toReversed()).toEqual(before);
    const table = (await run(home, '--format', 'tsv', '--limit', '3')).stdout.trimEnd().split('\n');
    expect(table.map((line) => line.split('\t').length)).toEqual([10, 10, 10, 10]);
    expect((await run(home, '--format', 'jsonl', '--from', 'alice')).stdout).toBe('');
  });

  it('ends with 1 where somebody has changed the log, and says which row', async () => {
    const { home } = await busyApp();
    const other = new Sqlite(join(home, 'desk.db'));
    onTestFinished(() => void other.close());
    other.exec("DROP TRIGGER audit_is_not_updated; UPDATE audit SET peer = 'alice@acme' WHERE seq = 3");
    expect(await run(home, '--verify')).toEqual({
      code: 1,
      stdout: '8 rows. The log is not as it was written:\n  edited: Row 3 is not as it was written.\n',
      stderr: '',
    });
    const { code, stdout } = await run(home, '--verify', '--json');
    expect([code, JSON.parse(stdout)]).toMatchObject([
      1,
      { ok: false, rows: 8, problems: [{ seq: 3, kind: 'edited' }] },
    ]);
  });

  it('makes what somebody has put into the file visible, and no part of the terminal', async () => {
    const { home } = await busyApp();
    const other = new Sqlite(join(home, 'desk.db'));
    onTestFinished(() => void other.close());
    other
      .prepare("INSERT INTO audit VALUES (9, 1, ?, ?, NULL, ?, ?, ?, '', '')")
      .run('\u001b[2J', 'hu\u202eman', 'аlice@acme', 'a\nb', 'no json \u0007');
    const [line = ''] = (await run(home)).stdout.split('\n');
    expect(rawDangers(line)).toEqual([]);
    for (const part of ['␛[2J', 'hu⟨U+202E⟩man', 'looks like alice@acme', 'no json ␇', 'a b'])
      expect(line).toContain(part);
    for (const format of ['jsonl', 'tsv']) {
      const { code, stdout } = await run(home, '--format', format, '--limit', '2');
      expect(code).toBe(0);
      expect(stdout).toContain('\\u001b[2J');
      expect(rawDangers(stdout)).toEqual([]);
    }
  });

  it.each([
    ['--since is such as', ['--since', 'yesterday']],
    ['--action is one of', ['--action', 'dance']],
    ['--format is one of', ['--format', 'csv']],
    ['--limit is a number from 1 to 500', ['--limit', '501']],
    ['--json is one value', ['--format', 'jsonl', '--json']],
    ['without --cursor', ['--format', 'tsv', '--cursor', '4']],
    ['leave out --since', ['--verify', '--since', '1h']],
  ])('says what is wrong before it looks for the app: %s', async (says, args) => {
    const { code, stdout, stderr } = await run(tempDir(), ...args);
    expect(code).toBe(2);
    expect(stdout + stderr).toContain(says);
  });

  it('says what is wrong with a cursor, a handle and an account', async () => {
    const home = tempDir();
    await runApp(home);
    expect((await run(home, '--cursor', 'x')).stderr).toBe(
      '--cursor is not the end of a page. Leave it out to begin anew.\n',
    );
    expect((await run(home, '--from', 'a b')).stderr).toContain('A handle is name or name@relay');
    expect((await run(home, '--as', 'mia')).stderr).toContain('is no account of this desk');
  });
});
