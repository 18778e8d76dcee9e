import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SecretStore } from '../../../../main/secrets.ts';
import type { AuditEntry } from '../../../../relay/contract/audit.ts';
import { run } from '../../../support/app-process.ts';
import { openAudit, type OpenAudit } from '../../../support/audit.ts';
import { ROOT } from '../../../support/project-root.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const started: AuditEntry = { action: 'app_started', actor: 'desk' };

async function filled(rows = 3): Promise<OpenAudit & { readonly head: string }> {
  const opened = await openAudit();
  for (let n = 0; n < rows; n += 1) opened.audit.note(started);
  opened.audit.flush();
  return { ...opened, head: join(opened.home, 'audit-head') };
}

describe('a log that is opened again', () => {
  it('goes on where it ended, as one log', async () => {
    const { home, close } = await filled();
    close();
    const { audit } = await openAudit(home);
    audit.note(started);
    expect(await audit.verify()).toMatchObject({ ok: true, rows: 4 });
    expect(audit.list({}, { limit: 1 }).rows[0]).toMatchObject({ seq: 4 });
  });

  it('that was never written to is empty, and whole', async () => {
    const { home, close } = await filled(0);
    close();
    expect(await (await openAudit(home)).audit.verify()).toMatchObject({ ok: true, rows: 0 });
  });

  it('keeps its key', async () => {
    const { home, close, secrets } = await filled();
    const key = await secrets.get('audit-key');
    close();
    await openAudit(home);
    expect(await secrets.get('audit-key')).toBe(key);
  });
});

describe('a process that was killed', () => {
  it('between the rows and the note of where they end is no accusation', async () => {
    const { audit, head, home, close } = await filled();
    copyFileSync(head, `${head}.before`);
    for (let n = 0; n < 3; n += 1) audit.note(started);
    audit.flush();
    close();
    copyFileSync(`${head}.before`, head);
    const again = await openAudit(home);
    expect(await again.audit.verify()).toMatchObject({ ok: true, rows: 6 });
    // and from then on the rows behind the old end are guarded, too
    expect(readFileSync(head, 'utf8')).toMatch(/^0{15}6 /);
  });

  it('during its first start begins anew', async () => {
    const home = tempDir();
    const failing: SecretStore = {
      get: async () => undefined,
      set: () => Promise.reject(new Error('killed here')),
      remove: async () => undefined,
    };
    await expect(openAudit(home, { secrets: failing })).rejects.toThrow();
    expect(existsSync(join(home, 'audit-head'))).toBe(true);
    const { audit } = await openAudit(home);
    audit.note(started);
    expect(await audit.verify()).toMatchObject({ ok: true, rows: 1 });
  });

  it('at any moment has lost nothing that was stored, and left a log that holds up', async () => {
    const home = tempDir();
    let stored = 0;
    for (let life = 1; life <= 4; life += 1) {
      const { kill, waitFor, ended, stdout } = run(process.execPath, [
        join(ROOT, 'test/support/audit-process.ts'),
        home,
      ]);
      await waitFor(new RegExp(`^${life * 7}$`, 'm'));
      kill('SIGKILL');
      await ended;
      stored += Number(stdout().trimEnd().split('\n').at(-1));
      const { audit, close } = await openAudit(home);
      const { ok, rows, problems } = await audit.verify();
      expect({ ok, problems }).toEqual({ ok: true, problems: [] });
      expect(rows).toBeGreaterThanOrEqual(stored);
      stored = rows;
      close();
    }
  });
});

describe('a start without the file that says where the log ends', () => {
  it.each([
    ['is gone', (head: string) => rmSync(head)],
    ['is empty', (head: string) => writeFileSync(head, '')],
    ['is of somebody else', (head: string) => writeFileSync(head, 'x'.repeat(500))],
    ['was changed', (head: string) => writeFileSync(head, readFileSync(head, 'utf8').replace('3', '2'))],
  ])('which %s, leaves a mark for good', async (_what, spoil) => {
    const { head, home, close } = await filled();
    close();
    spoil(head);
    const first = await openAudit(home);
    const problem = {
      seq: 4,
      kind: 'truncated',
      message: 'The file that says where the log ends was gone or changed. Rows before row 4 may be missing.',
    };
    expect(await first.audit.verify()).toMatchObject({ ok: false, rows: 4, problems: [problem] });
    first.close();
    const second = await openAudit(home);
    second.audit.note(started);
    expect(await second.audit.verify()).toMatchObject({ ok: false, rows: 5, problems: [problem] });
  });

  it('where it cannot be read is refused, and says what to do', async () => {
    const { head, home, close } = await filled();
    close();
    rmSync(head);
    mkdirSync(head);
    await expect(openAudit(home)).rejects.toThrow(/audit-head cannot be used .*Move away what is there/);
  });
});

describe('a start without the key', () => {
  it('checks nothing of what was before, says so for good, and all of what comes after', async () => {
    const { home, close } = await filled();
    close();
    rmSync(join(home, 'secrets.json'));
    const { audit, db } = await openAudit(home);
    audit.note(started);
    const problem = {
      seq: 4,
      kind: 'key_missing',
      message: 'The key of the rows before row 4 is gone. They cannot be checked.',
    };
    expect(await audit.verify()).toMatchObject({ ok: false, rows: 5, problems: [problem] });
    db.exec("DROP TRIGGER audit_is_not_updated; UPDATE audit SET actor = 'cli' WHERE seq = 5");
    expect((await audit.verify()).problems).toMatchObject([problem, { seq: 5, kind: 'edited' }]);
  });
});

it('goes on when the end cannot be noted any more, and knows it itself', async () => {
  const { audit, head, errors } = await filled();
  rmSync(head);
  mkdirSync(head);
  audit.note(started);
  expect(await audit.verify()).toMatchObject({ ok: true, rows: 4, waiting: 0 });
  expect(errors).toEqual(['the end of the audit log cannot be noted']);
});
