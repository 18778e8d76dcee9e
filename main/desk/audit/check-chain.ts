import type { AuditAction, AuditProblem } from '../../../relay/contract/audit.ts';
import { GENESIS, hashRow, isSealed, type Head, type SealedRow } from './seal.ts';

/** Reads a log from its first row to its last, and says what is wrong with it. Pure but for its own memory. */
export interface ChainCheck {
  /** The next row, in the order of `seq`. */
  take(row: SealedRow): void;
  /** After the last one. */
  end(): { readonly rows: number; readonly problems: readonly AuditProblem[] };
}

/** How many problems are told, and so how many broken rows are looked at closely. */
const MOST_PROBLEMS = 100;
const GAP: AuditAction = 'audit_gap';

/** A row whose seal is broken, and what stands around it. */
interface Broken {
  readonly row: SealedRow;
  readonly before: Pick<Head, 'hash'>;
  /** The hash that the row after it goes on from; where there is none, that of the head. */
  readonly after: string;
}

/** @param head where the log ends, as far as the desk knows */
export function createChainCheck(key: string, head: Head): ChainCheck {
  let rows = 0;
  let last: Head = GENESIS;
  let open: Omit<Broken, 'after'> | undefined;
  let broken: Broken[] = [];
  let problems: AuditProblem[] = [];

  function settle(after: string): void {
    if (open !== undefined && broken.length < MOST_PROBLEMS) broken.push({ ...open, after });
    open = undefined;
  }

  function tell(kind: AuditProblem['kind'], seq: number, message: string): void {
    if (problems.length < MOST_PROBLEMS) problems.push({ seq, kind, message });
  }

  /** What the desk has noted of itself when it found that the log can prove less than it should. */
  function takeGap(row: SealedRow): void {
    switch (causeOf(row)) {
      case 'key_missing':
        // with another key, nothing can be said of any of them
        broken = [];
        problems = [];
        open = undefined;
        return tell(
          'key_missing',
          row.seq,
          `The key of the rows before row ${row.seq} is gone. They cannot be checked.`,
        );
      case 'head_missing':
        return tell(
          'truncated',
          row.seq,
          `The file that says where the log ends was gone or changed. Rows before row ${row.seq} may be missing.`,
        );
      default:
    }
  }

  return {
    take(row) {
      rows += 1;
      const next = Math.max(last.seq, GENESIS.seq) + 1;
      const isGap = row.seq > next;
      if (isGap) tell('removed', row.seq, `${span(next, row.seq - 1)} missing before row ${row.seq}.`);
      const isBeforeBroken = open !== undefined;
      settle(row.prev_hash);
      if (!isSealed(key, row)) {
        open = { row, before: last };
      } else if (row.action === GAP) {
        takeGap(row);
      } else if (!isGap && !isBeforeBroken && row.prev_hash !== last.hash) {
        tell('edited', row.seq, `Row ${row.seq} was not written after the row that stands before it.`);
      } else if (row.seq === head.seq && row.hash !== head.hash) {
        // a row of ours, from another copy of the log
        tell('edited', row.seq, `Row ${row.seq} is not the one that was written there last.`);
      }
      last = { seq: row.seq, hash: row.hash };
    },
    end() {
      settle(head.hash);
      if (head.seq > last.seq) tell('truncated', last.seq + 1, `${span(last.seq + 1, head.seq)} missing at the end.`);
      const seqs = broken.map(({ row }) => row.seq);
      const found = [...problems, ...broken.map((one) => describe(key, one, seqs))];
      return { rows, problems: found.toSorted((a, b) => a.seq - b.seq).slice(0, MOST_PROBLEMS) };
    },
  };
}

/** @param places where else a row may come from: where others are broken, too */
function describe(key: string, { row, before, after }: Broken, places: readonly number[]): AuditProblem {
  const { seq } = row;
  const from = [seq - 1, seq + 1, ...places].find((place) => hashRow(key, { ...row, seq: place }) === row.hash);
  if (from !== undefined) return { seq, kind: 'reordered', message: `Row ${seq} was written as row ${from}.` };
  if (after === before.hash) return { seq, kind: 'inserted', message: `Row ${seq} was not written by this desk.` };
  return { seq, kind: 'edited', message: `Row ${seq} is not as it was written.` };
}

function causeOf({ detail }: SealedRow): unknown {
  const read: unknown = JSON.parse(detail);
  return typeof read === 'object' && read !== null && 'cause' in read ? read.cause : undefined;
}

function span(first: number, last: number): string {
  return first === last ? `Row ${first} is` : `Rows ${first} to ${last} are`;
}
