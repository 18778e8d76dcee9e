import { canonicalJson } from '../../../relay/cards/jcs.ts';
import type { AuditEntry } from '../../../relay/contract/audit.ts';
import type { SecretStore } from '../../secrets.ts';
import { unusable } from '../../start-error.ts';
import { newToken, type RandomBytes } from '../../tokens.ts';
import type { Logger } from '../options.ts';
import { createHeadFile } from './head-file.ts';
import type { AuditRows } from './rows.ts';
import { GENESIS, hashRow, isSealed, type Head, type SealedRow } from './seal.ts';

/** An entry, and when it was noted (milliseconds since the epoch). */
export interface Noted {
  readonly at: number;
  readonly entry: AuditEntry;
}

/** The log as the one who writes it knows it. */
export interface Chain {
  readonly key: string;
  /** The last row that was written. */
  head(): Head;
  /** All of them or none, durable on return. Fails as SQLite does. */
  append(noted: readonly Noted[]): void;
}

export interface ChainOptions {
  readonly rows: AuditRows;
  readonly secrets: SecretStore;
  /** The file that says where the log ends. */
  readonly headPath: string;
  readonly random: RandomBytes;
  readonly clock: () => number;
  readonly logger: Logger;
}

const SECRET_NAME = 'audit-key';
const PAGE = 1_000;

/**
 * Finds the end of the log, or begins one. Where the key or the file with the head is gone although there were rows, a row
 * says so from then on. The key is stored after all else: a key without that file means that somebody took the file away,
 * and never a first start that was cut short.
 *
 * Fails with a StartError where the key or that file cannot be read or written.
 */
export async function openChain(options: ChainOptions): Promise<Chain> {
  const { rows, secrets, headPath, random, clock, logger } = options;
  const known = await secrets.get(SECRET_NAME);
  const key = known ?? newToken(random);
  const file = createHeadFile(headPath, key);
  try {
    const stored = file.read();
    const start = startOf(rows, key, known === undefined ? 'no key' : stored);
    const chain = createChain(rows, key, start.head, (head) => {
      try {
        file.write(head);
      } catch (error) {
        // the rows are stored; the next start reads them and goes on from there
        logger.error({ err: error }, 'the end of the audit log cannot be noted');
      }
    });
    if (start.gap !== undefined) {
      chain.append([{ at: clock(), entry: { action: 'audit_gap', actor: 'desk', detail: { cause: start.gap } } }]);
    } else if (typeof stored === 'string' || stored.seq !== start.head.seq) {
      file.write(start.head);
    }
    if (known === undefined) await secrets.set(SECRET_NAME, key);
    return chain;
  } catch (error) {
    throw unusable(headPath, error);
  }
}

interface Start {
  readonly head: Head;
  readonly gap?: 'key_missing' | 'head_missing';
}

function startOf(rows: AuditRows, key: string, stored: Head | 'missing' | 'invalid' | 'no key'): Start {
  const newest = rows.newest();
  if (stored === 'no key') return newest === undefined ? { head: GENESIS } : { head: newest, gap: 'key_missing' };
  if (typeof stored === 'string') return { head: newest ?? GENESIS, gap: 'head_missing' };
  // a process that was killed has stored rows and not said so any more
  let head = stored;
  let page: readonly SealedRow[] = [];
  do {
    page = rows.after(page.at(-1)?.seq ?? stored.seq, PAGE);
    for (const row of page) {
      if (row.prev_hash === head.hash && isSealed(key, row)) head = { seq: row.seq, hash: row.hash };
    }
  } while (page.length === PAGE);
  return { head };
}

/** @param onHead told where the log ends, after each time that it has grown */
function createChain(rows: AuditRows, key: string, start: Head, onHead: (head: Head) => void): Chain {
  let head = start;

  /** Goes on from the last row of ours, whatever stands in the file by now: what is missing or new there is then found. */
  function link(noted: readonly Noted[], newest: number): readonly SealedRow[] {
    const base = Math.max(newest, head.seq);
    let hash = head.hash;
    return noted.map(({ at, entry }, index) => {
      const { action, actor, account = null, peer = null, ref = null, detail = {} } = entry;
      const texts = { action, actor, account, peer, ref, detail: canonicalJson(detail) };
      const row = { seq: base + index + 1, at, ...texts, prev_hash: hash };
      hash = hashRow(key, row);
      return { ...row, hash };
    });
  }

  return {
    key,
    head: () => head,
    append(noted) {
      const last = rows.append((newest) => link(noted, newest)).at(-1);
      if (last === undefined) return;
      head = { seq: last.seq, hash: last.hash };
      onHead(head);
    },
  };
}
