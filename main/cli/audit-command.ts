import { auditActionSchema, auditFormatSchema, type AuditCheck, type AuditRow } from '../../relay/contract/audit.ts';
import type { CommandInput, CommandOutput } from '../../relay/contract/desk-api.ts';
import type { Json } from '../../relay/contract/json.ts';
import { visibleLine } from '../../relay/contract/plain-text.ts';
import { visibleHandle } from '../../relay/contract/visible-handle.ts';
import { UsageError } from '../start-error.ts';
import type { Action, Command, Outcome, Terminal } from './command.ts';
import type { Flags } from './flags.ts';
import { columns, dateTime, truncate } from './layout.ts';
import { readMoment, type Moment } from './moment.ts';

/** `agentrelay audit` */
export const audit: Command = {
  operands: [],
  summary: 'What was done and decided, newest first; --verify says whether it was changed',
  flags: {
    since: { value: 'TIME', help: 'Not before: 24h or 7d ago, 2026-11-30, 2026-11-30T14:05' },
    until: { value: 'TIME', help: 'Not after' },
    from: { value: 'HANDLE', help: 'Only what has to do with this other side' },
    action: { value: 'ACTION', multiple: true, help: 'Only acts such as handoff_sent, blocked, key_rotated' },
    limit: { value: 'N', help: 'At most so many, the newest; up to 500, with --format up to 100000' },
    cursor: { value: 'CURSOR', help: 'Where the last page ended' },
    format: { value: 'jsonl|tsv', help: 'All of it, oldest first: a JSON object a line, or a table' },
    verify: { help: 'Check every row; exit code 1 where one was changed, removed or put in' },
  },
  prepare: ({ as, flags }) => {
    const format = flags.oneOf('format', auditFormatSchema.options);
    if (flags.isOn('verify')) return verifying(flags);
    const wanted = filterOf(as, flags);
    if (format !== undefined) return exporting(format, wanted, flags);
    const limit = flags.count('limit', 1, 500);
    const cursor = flags.text('cursor');
    return async (desk, terminal) => {
      const page = await desk.call('listAudit', {
        ...wanted(terminal.now),
        ...(limit !== undefined && { limit }),
        ...(cursor !== undefined && { cursor }),
      });
      return { json: page, text: pageText(page, terminal) };
    };
  },
};

type Filter = Omit<CommandInput<'listAudit'>, 'limit' | 'cursor'>;

/** Which rows are wanted, once it is known what time it is. */
function filterOf(as: { readonly as?: string }, flags: Flags): (now: number) => Filter {
  const since = momentOf(flags, 'since', 'beginning');
  const until = momentOf(flags, 'until', 'end');
  const from = flags.text('from');
  const action = flags.someOf('action', auditActionSchema.options);
  return (now) => ({
    ...as,
    ...(since !== undefined && { since: since(now) }),
    ...(until !== undefined && { until: until(now) }),
    ...(from !== undefined && { from }),
    ...(action.length > 0 && { action: [...action] }),
  });
}

function momentOf(flags: Flags, name: string, edge: 'beginning' | 'end'): Moment | undefined {
  const given = flags.text(name);
  return given === undefined ? undefined : readMoment(`--${name}`, given, edge);
}

function exporting(
  format: CommandInput<'exportAudit'>['format'],
  wanted: (now: number) => Filter,
  flags: Flags,
): Action {
  if (flags.isOn('json')) throw new UsageError('--json is one value. Leave it out: --format jsonl is JSON, too.');
  if (flags.text('cursor') !== undefined)
    throw new UsageError('--format goes on to the end by itself, without --cursor.');
  const limit = flags.count('limit', 1, 100_000);
  return async function* (desk, terminal): AsyncGenerator<Outcome> {
    const asked = { ...wanted(terminal.now), format, ...(limit !== undefined && { limit }) };
    let cursor: string | undefined;
    do {
      const page = await desk.call('exportAudit', { ...asked, ...(cursor !== undefined && { cursor }) });
      if (page.text !== '') yield { json: page, text: page.text };
      cursor = page.next_cursor;
    } while (cursor !== '');
  };
}

function verifying(flags: Flags): Action {
  const other = ['since', 'until', 'from', 'action', 'limit', 'cursor', 'format'].find((name) => flags.text(name));
  if (other !== undefined) throw new UsageError(`--verify is about the whole log: leave out --${other}.`);
  return async (desk) => {
    const check = await desk.call('verifyAudit', {});
    return { json: check, text: checkText(check), ...(!check.ok && { isBad: true }) };
  };
}

function pageText({ rows, next_cursor: next }: CommandOutput<'listAudit'>, terminal: Terminal): string {
  if (rows.length === 0) return 'Nothing was written down that fits.';
  return [
    ...columns(rows.map(rowCells)).map((line) => truncate(line, terminal.columns)),
    ...(next === '' ? [] : ['', `More: the same again with --cursor ${next}`]),
  ].join('\n');
}

function rowCells({ at, action, actor, peer, ref, detail }: AuditRow): readonly string[] {
  return [
    dateTime(at),
    visibleLine(action).replaceAll('_', ' '),
    visibleLine(actor),
    peer === undefined ? '' : visibleHandle(peer),
    detailText(detail),
    ref === undefined ? '' : visibleLine(ref),
  ];
}

function detailText(detail: AuditRow['detail']): string {
  const isObject = typeof detail === 'object' && detail !== null;
  const members = isObject ? Object.entries(detail).map(([name, value]) => `${name}=${plain(value)}`) : [plain(detail)];
  return visibleLine(members.join(' '));
}

function plain(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function checkText({ ok, rows, problems, waiting, lost }: AuditCheck): string {
  const unstored = [
    ...(waiting === 0 ? [] : [`Not stored yet, and tried again with every act: ${waiting}. Is the disk full?`]),
    ...(lost === 0 ? [] : [`Not stored, and no more tried: ${lost}.`]),
  ];
  const count = rows === 1 ? '1 row' : `${rows} rows`;
  if (ok) return [`${count}, each as it was written.`, ...unstored].join('\n');
  return [
    `${count}. The log is not as it was written:`,
    ...problems.map(({ kind, message }) => `  ${kind.replaceAll('_', ' ')}: ${visibleLine(message)}`),
    ...unstored,
  ].join('\n');
}
