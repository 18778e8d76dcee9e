import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exportCursor, readExportCursor, readListCursor } from '../../../../main/desk/audit/cursors.ts';
import { tidyEntry } from '../../../../main/desk/audit/tidy.ts';
import type { AuditEntry } from '../../../../relay/contract/audit.ts';
import { auditActionSchema } from '../../../../relay/contract/audit.ts';
import { AUDIT_ACTIONS } from '../../../../scripts/docs/audit-actions.ts';

const entry = (over: Partial<AuditEntry> = {}): AuditEntry => ({ action: 'wake', actor: 'desk', ...over });

describe('an entry that is stored', () => {
  it('stays as it is where nothing is wrong with it', () => {
    const whole = entry({
      account: 'frank@acme',
      peer: 'mia@acme',
      ref: 't1',
      detail: { n: 1, ok: true, to: ['a', 'b'] },
    });
    expect(tidyEntry(whole, '/home/frank')).toEqual(whole);
    expect(tidyEntry(entry(), '/home/frank')).toEqual(entry());
  });

  it('names no home folder, wherever in a text it stands', () => {
    const detail = { file: '/home/frank/trust.yaml', why: 'cannot read /home/frank/a and /home/frank/b' };
    expect(tidyEntry(entry({ ref: '/home/frank', detail }), '/home/frank')).toMatchObject({
      ref: '~',
      detail: { file: '~/trust.yaml', why: 'cannot read ~/a and ~/b' },
    });
  });

  it('has short texts of well-formed Unicode, whatever was given', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 700 }), fc.nat(400), (text, at) => {
        const half = `${text.slice(0, at)}\ud83d${text.slice(at)}`;
        const { ref = '' } = tidyEntry(entry({ ref: half }), '/home/frank');
        expect([ref.isWellFormed(), ref.length <= 300]).toEqual([true, true]);
      }),
    );
  });
});

describe('where a page ends', () => {
  it('is read back', () => {
    expect(readListCursor('17')).toEqual({ before: 17 });
    expect(readExportCursor(exportCursor({ after: 500, last: 1_203 }))).toEqual({ after: 500, last: 1_203 });
  });

  it('is the first page where nothing is said', () => {
    expect([readListCursor(undefined), readListCursor('')]).toEqual([{}, {}]);
    expect([readExportCursor(undefined), readExportCursor('')]).toEqual([undefined, undefined]);
  });

  it.each(['1', '1_', '_1', '1_2_3', 'a_b', '1e3_2', ' 1_2', '9'.repeat(16)])('of an export is not %s', (cursor) => {
    expect(() => readExportCursor(cursor)).toThrow(expect.objectContaining({ reason: 'INVALID_PARAMS' }));
  });
});

it('every act is described once', () => {
  expect(Object.keys(AUDIT_ACTIONS)).toEqual(auditActionSchema.options);
});
