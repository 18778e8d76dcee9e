import type { AuditCheck, AuditEntry, AuditFormat, AuditRow } from '../../../relay/contract/audit.ts';
import type { Database } from '../../../relay/store/sqlite/database.ts';
import { openChain, type ChainOptions, type Noted } from './chain.ts';
import { createChainCheck } from './check-chain.ts';
import { exportCursor, readExportCursor, readListCursor } from './cursors.ts';
import { formatRows } from './format-rows.ts';
import { createAuditRows, toAuditRow, type AuditFilter } from './rows.ts';
import type { SealedRow } from './seal.ts';
import { tidyEntry } from './tidy.ts';

/** What was done and decided, in rows that nobody can change unnoticed (docs/reference/audit.md). */
export interface Audit {
  /**
   * Writes an act down. It is durable before the event loop goes on, together with all that is noted at once. Never fails:
   * what cannot be stored is logged, waits, and is tried again with the next act.
   */
  note(entry: AuditEntry): void;
  /** A page, newest first. */
  list(filter: AuditFilter, page: { readonly limit: number; readonly cursor?: string | undefined }): AuditPage;
  /** A page as text, oldest first, up to what was the newest row when the first page was asked for. */
  exportPage(filter: AuditFilter, page: ExportQuery): { readonly text: string; readonly nextCursor: string };
  /** The newest row about something; undefined where there is none. What was noted in this turn may be missing. */
  newestAbout(ref: string, account: string, actions: readonly string[]): AuditRow | undefined;
  /** Reads the whole log, page by page, and checks it. */
  verify(): Promise<AuditCheck>;
  /** Stores what waits. */
  flush(): void;
}

export interface AuditPage {
  readonly rows: readonly AuditRow[];
  /** Empty on the last page. */
  readonly nextCursor: string;
}

export interface ExportQuery {
  readonly format: AuditFormat;
  /** Only so many, the newest. Counts for the first page, and is kept in its cursor. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface AuditOptions extends Omit<ChainOptions, 'rows'> {
  readonly db: Database;
  /** Of the user; texts name it `~`. */
  readonly homeFolder: string;
}

/** How many acts wait at most: for the end of a turn, or for room on the disk. */
const MOST_WAITING = 1_000;
const PAGE = 500;

/** Opens the log, or begins it. Fails with a StartError where its key or its head cannot be read or written. */
export async function createAudit({ db, homeFolder, ...options }: AuditOptions): Promise<Audit> {
  const { clock, logger } = options;
  const rows = createAuditRows(db);
  const chain = await openChain({ ...options, rows });
  let waiting: Noted[] = [];
  let lost = 0;
  let isScheduled = false;
  let isFailing = false;

  function flush(): void {
    isScheduled = false;
    if (waiting.length === 0) return;
    try {
      chain.append(lost === 0 ? waiting : [...waiting, { at: clock(), entry: notStored(lost) }]);
      if (isFailing) logger.info({ stored: waiting.length, lost }, 'the audit log can be written again');
      waiting = [];
      lost = 0;
      isFailing = false;
    } catch (error) {
      if (!isFailing) logger.error({ err: error }, 'the audit log cannot be written');
      isFailing = true;
    }
  }

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    queueMicrotask(flush);
  }

  function note(entry: AuditEntry): void {
    // where nothing can be stored, it is not tried with every act of a turn
    if (waiting.length === MOST_WAITING && !(isFailing && isScheduled)) flush();
    if (waiting.length < MOST_WAITING) waiting.push({ at: clock(), entry: tidyEntry(entry, homeFolder) });
    else lost += 1;
    schedule();
  }

  return {
    note,
    flush,
    list(filter, { limit, cursor }) {
      flush();
      const found = rows.find(filter, readListCursor(cursor), 'newest', limit + 1);
      const page = found.slice(0, limit);
      return {
        rows: page.map(toAuditRow),
        nextCursor: found.length > limit ? String(page.at(-1)?.seq ?? '') : '',
      };
    },
    exportPage(filter, { format, limit, cursor }) {
      flush();
      const resumed = readExportCursor(cursor);
      const from = resumed ?? { after: startOf(filter, limit), last: rows.newest()?.seq ?? 0 };
      const found = rows.find(filter, { after: from.after, before: from.last + 1 }, 'oldest', PAGE);
      const after = found.length < PAGE ? undefined : found.at(-1)?.seq;
      return {
        text: formatRows(found.map(toAuditRow), format, resumed === undefined),
        nextCursor: after === undefined ? '' : exportCursor({ after, last: from.last }),
      };
    },
    newestAbout(ref, account, actions) {
      const row = rows.newestAbout(ref, account, actions);
      return row && toAuditRow(row);
    },
    async verify() {
      flush();
      const head = chain.head();
      const last = Math.max(head.seq, rows.newest()?.seq ?? 0);
      const check = createChainCheck(chain.key, head);
      let page: readonly SealedRow[] = [];
      let after = Number.MIN_SAFE_INTEGER;
      do {
        page = rows.after(after, PAGE).filter(({ seq }) => seq <= last);
        page.forEach(check.take);
        after = page.at(-1)?.seq ?? after;
        // a long log keeps nobody else waiting
        await new Promise(setImmediate);
      } while (page.length === PAGE);
      const { rows: count, problems } = check.end();
      return { ok: problems.length === 0, rows: count, problems: [...problems], waiting: waiting.length, lost };
    },
  };

  /** The row before the `limit` newest ones. */
  function startOf(filter: AuditFilter, limit: number | undefined): number | undefined {
    return limit === undefined ? undefined : rows.find(filter, {}, 'newest', limit + 1)[limit]?.seq;
  }
}

function notStored(acts: number): AuditEntry {
  return { action: 'audit_gap', actor: 'desk', detail: { cause: 'not_stored', acts } };
}
