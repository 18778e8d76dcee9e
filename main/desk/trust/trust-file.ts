import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, watch } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { TrustFinding } from '../../../relay/contract/trust.ts';
import { writePrivateFile } from '../../files.ts';
import { systemCode } from '../../start-error.ts';
import { editTrust, NEW_TRUST, type TrustEdit } from './edit-trust.ts';
import { LARGEST_FILE, readTrust } from './read-trust.ts';
import type { TrustState } from './trust.ts';

/** `trust.yaml` on disk. What stands there counts, and nothing that was read before. */
export interface TrustFile {
  readonly path: string;
  /**
   * What the file says now. It is looked at each time, and read where it is another one than before: no decision rests on
   * what it said a moment ago. Never throws.
   */
  now(): TrustState;
  /** The text of a file that can be read; undefined where there is none. */
  text(): string | undefined;
  /**
   * Makes a change. Fails with a TrustFileError where the file has an error in it (which is the owner's to mend), or would
   * have one afterwards; then nothing is written.
   */
  edit(edit: TrustEdit): Promise<TrustState>;
  /** Writes a whole new text, if it is without an error. Fails with a TrustFileError. */
  replace(text: string): Promise<TrustState>;
  /** Called when the file may have changed, by whomever. Returns the unsubscribe function. */
  onChange(listener: () => void): () => void;
  close(): void;
}

/** A change that was not made. */
export class TrustFileError extends Error {
  override readonly name = 'TrustFileError';
  readonly findings: readonly TrustFinding[];

  constructor(message: string, findings: readonly TrustFinding[] = []) {
    super(message);
    this.findings = findings;
  }
}

/** A save is several events: an editor writes a new file, renames it, and sets its times. */
const SETTLE_MS = 50;
/** Times of files are no finer than that, wherever they lie. */
const TICK_MS = 2_000;
/** The mode's bits by which others may write. */
const OTHERS_WRITE = 0o022;

/** Makes the file where there is none: at the first start of a desk, and at no other. */
export async function createTrustFile(path: string): Promise<void> {
  try {
    const file = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
    try {
      await file.writeFile(NEW_TRUST);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}

export function openTrustFile(path: string): TrustFile {
  let known: { readonly stamp: string; readonly state: TrustState } | undefined;
  let writes: Promise<unknown> = Promise.resolve();
  const listeners = new Set<() => void>();
  let settling: NodeJS.Timeout | undefined;

  const watcher = watch(dirname(path), (_event, name) => {
    if (name !== null && name !== basename(path)) return;
    settling ??= setTimeout(() => {
      settling = undefined;
      for (const listener of listeners) listener();
    }, SETTLE_MS).unref();
  });
  // a folder that is gone is said by the next read
  watcher.on('error', () => undefined);
  watcher.unref();

  function now(): TrustState {
    const found = look(path, known?.stamp);
    if (found.kind === 'unusable') {
      known = undefined;
      return { kind: 'bad', errors: [{ line: 1, message: found.message }] };
    }
    if (found.kind === 'read') known = { stamp: found.stamp, state: readTrust(found.text) };
    if (known === undefined) throw new Error('a file that is the same as none');
    return known.state;
  }

  function text(): string | undefined {
    const found = look(path, undefined);
    return found.kind === 'read' ? found.text : undefined;
  }

  /** One after the other: each reads what the one before it has written. */
  function write(change: (before: string | undefined) => string): Promise<TrustState> {
    const done = writes.then(async () => {
      const after = change(text());
      const state = readTrust(after);
      if (state.kind === 'bad') {
        throw new TrustFileError('The file would have an error. Nothing was changed.', state.errors);
      }
      await writePrivateFile(path, after);
      return now();
    });
    writes = done.catch(() => undefined);
    return done;
  }

  return {
    path,
    now,
    text,
    edit: (edit) =>
      write((before) => {
        const state = before === undefined ? undefined : readTrust(before);
        if (before !== undefined && state?.kind === 'good') return editTrust(before, edit);
        const what = before === undefined ? 'cannot be read' : 'has an error';
        throw new TrustFileError(
          `${path} ${what}, so nothing in it is changed by a program. Mend it, or begin anew: agentrelay trust reset.`,
          state?.kind === 'bad' ? state.errors : [],
        );
      }),
    replace: (after) => write(() => after),
    onChange(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    close() {
      clearTimeout(settling);
      watcher.close();
    },
  };
}

type Found =
  | { readonly kind: 'same' }
  | { readonly kind: 'read'; readonly text: string; readonly stamp: string }
  | { readonly kind: 'unusable'; readonly message: string };

/** Reads the file, unless it is the one of the stamp. */
function look(path: string, stamp: string | undefined): Found {
  let file: number | undefined;
  try {
    if (lstatSync(path).isSymbolicLink()) return unusable('is a link. Put the file itself there.');
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stats = fstatSync(file, { bigint: true });
    if (!stats.isFile()) return unusable('is no file.');
    if (process.getuid !== undefined) {
      if (stats.uid !== BigInt(process.getuid())) return unusable('belongs to another user.');
      if ((Number(stats.mode) & OTHERS_WRITE) !== 0) return unusable('can be written by others. Run: chmod 600.');
    }
    if (stats.size > LARGEST_FILE * 4) return unusable(`has more than ${LARGEST_FILE} characters.`);
    const now = [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(' ');
    if (now === stamp) return { kind: 'same' };
    // the next write may be in the same tick of the clock by which files are stamped
    const isSettled = Date.now() - Number(stats.mtimeMs) > TICK_MS;
    return { kind: 'read', text: readFileSync(file, 'utf8'), stamp: isSettled ? now : '' };
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT') return unusable('is not there. Restore it, or begin anew: agentrelay trust reset.');
    return unusable(`cannot be read (${code ?? 'unknown error'}).`);
  } finally {
    if (file !== undefined) closeSync(file);
  }

  function unusable(what: string): Found {
    return { kind: 'unusable', message: `${path} ${what}` };
  }
}
