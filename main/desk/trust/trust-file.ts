import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  unwatchFile,
  watch,
  watchFile as watchByPolling,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { TrustFinding } from '../../../relay/contract/trust.ts';
import { replacePrivateFile } from '../../files.ts';
import { systemCode } from '../../start-error.ts';
import { editTrust, NEW_TRUST, type TrustEdit } from './edit-trust.ts';
import { LARGEST_FILE, readTrust } from './read-trust.ts';
import type { TrustState } from './trust.ts';

/** `trust.yaml` on disk. What stands there counts, and nothing that was read before. */
export interface TrustFile {
  readonly path: string;
  /**
   * What the file says now. It is looked at each time, and read where it is another one than before. Never throws. A file
   * that has just been changed by somebody else may be half of what they write.
   */
  now(): TrustNow;
  /** Resolves once what the file says is whole: at once, unless somebody has just changed it. */
  whole(): Promise<void>;
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

/** What the file says; and, as long as it may be half written, what it said before. */
export interface TrustNow {
  readonly state: TrustState;
  readonly before?: TrustState;
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

/** A save is several events, and some editors write in several steps: so long nothing may happen for it to be whole. */
const SETTLE_MS = 300;
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
  let known: Known | undefined;
  let writes: Promise<unknown> = Promise.resolve();
  const listeners = new Set<() => void>();
  let settling: NodeJS.Timeout | undefined;
  /** What the listeners have been told of. */
  let told: { readonly text: string | undefined } | undefined;

  /** Tells of it once nothing has happened for a while: who saves in several steps has then taken the last one. */
  function settle(): void {
    clearTimeout(settling);
    settling = setTimeout(tell, SETTLE_MS).unref();
  }

  function tell(): void {
    const { text } = look();
    if (told !== undefined && told.text === text) return;
    told = { text };
    for (const listener of listeners) listener();
  }
  const stopWatching = watchFile(path, settle);

  function look(): Known {
    const found = read(path, known?.stamp);
    if (found.kind === 'same' && known !== undefined) return known;
    const { text, stamp, state } = toKnown(found);
    // the same text, stamped anew, is no change
    if (known !== undefined && text === known.text && isDeepStrictEqual(state, known.state)) {
      known = { ...known, stamp };
    } else {
      if (known !== undefined) settle();
      known = { stamp, state, text, at: performance.now(), ...(known && { before: settledOf(known) }) };
    }
    return known;
  }

  function now(): TrustNow {
    const { state, before, at } = look();
    return before === undefined || performance.now() - at > SETTLE_MS ? { state } : { state, before };
  }

  /** One after the other: each reads what the one before it has written, and what somebody else has written meanwhile. */
  function write(change: (before: string | undefined) => string): Promise<TrustState> {
    const done = writes.then(async () => {
      for (;;) {
        const before = look().text;
        const after = change(before);
        const state = readTrust(after);
        if (state.kind === 'bad') {
          throw new TrustFileError('The file would have an error. Nothing was changed.', state.errors);
        }
        if (await replacePrivateFile(path, after, () => look().text === before)) {
          // what we have written ourselves is whole
          known = undefined;
          tell();
          return look().state;
        }
      }
    });
    writes = done.catch(() => undefined);
    return done;
  }

  return {
    path,
    now,
    async whole() {
      while (now().before !== undefined) await delay(SETTLE_MS / 4, undefined, { ref: false });
    },
    text: () => look().text,
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
      stopWatching();
    },
  };
}

/** What was read last. */
interface Known {
  readonly stamp: string;
  readonly state: TrustState;
  /** undefined where there was none. */
  readonly text: string | undefined;
  /** When it was first seen, milliseconds of a clock that nobody sets. */
  readonly at: number;
  /** What the file said before, as long as nobody knows that it is whole now. */
  readonly before?: TrustState;
}

function toKnown(found: Found): Pick<Known, 'state' | 'text' | 'stamp'> {
  switch (found.kind) {
    case 'read':
      return { state: readTrust(found.text), text: found.text, stamp: found.stamp };
    case 'unusable':
      return { state: { kind: 'bad', errors: [{ line: 1, message: found.message }] }, text: undefined, stamp: '' };
    case 'same':
      throw new Error('a file that is the same as none');
  }
}

/** What counted at a moment: of a file that is being written, what it said before that. */
function settledOf({ state, before, at }: Known): TrustState {
  return before === undefined || performance.now() - at > SETTLE_MS ? state : before;
}

/** Calls `listener` when the file may have changed. Where the system has no more watches, it is looked at each second. */
function watchFile(path: string, listener: () => void): () => void {
  try {
    const watcher = watch(dirname(path), (_event, name) => {
      if (name === null || name === basename(path)) listener();
    });
    // a folder that is gone is said by the next read
    watcher.on('error', () => undefined);
    watcher.unref();
    return () => watcher.close();
  } catch {
    watchByPolling(path, { interval: 1_000, persistent: false }, listener);
    return () => unwatchFile(path, listener);
  }
}

type Found =
  | { readonly kind: 'same' }
  | { readonly kind: 'read'; readonly text: string; readonly stamp: string }
  | { readonly kind: 'unusable'; readonly message: string };

/** Reads the file, unless it is the one of the stamp. */
function read(path: string, stamp: string | undefined): Found {
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
