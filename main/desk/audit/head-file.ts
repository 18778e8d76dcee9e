import { closeSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { systemCode } from '../../start-error.ts';
import { hashHead, sameHash, type Head } from './seal.ts';

/**
 * Where the log ends, in a small file beside the database: without it, nobody would miss rows that were removed from the
 * end, or a `desk.db` that was put back as it was last week.
 */
export interface HeadFile {
  /** `missing` where there is none; `invalid` where it was not written with this key, or is none at all. */
  read(): Head | 'missing' | 'invalid';
  /**
   * Notes a head. It is always of one length and written over the last one, so that the file holds either of the two
   * whenever it is read. The first time it is durable. Later it need not be: a head that is older than the log accuses
   * nobody. Fails as the file system does.
   */
  write(head: Head): void;
}

const FORM = /^(?<seq>\d{16}) (?<hash>[0-9a-f]{64}) (?<seal>[0-9a-f]{64})\n$/;

export function createHeadFile(path: string, key: string): HeadFile {
  return {
    read() {
      const text = contentOf(path);
      if (text === undefined) return 'missing';
      const { seq = '', hash = '', seal = '' } = FORM.exec(text)?.groups ?? {};
      const head = { seq: Number(seq), hash };
      return sameHash(seal, hashHead(key, head)) ? head : 'invalid';
    },
    write(head) {
      const text = `${String(head.seq).padStart(16, '0')} ${head.hash} ${hashHead(key, head)}\n`;
      const { file, isNew } = open(path);
      try {
        writeSync(file, text, 0);
        // something else may have stood there
        ftruncateSync(file, text.length);
        if (isNew) fsyncSync(file);
      } finally {
        closeSync(file);
      }
    },
  };
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Opened anew each time: what stands at the path is written, whatever has become of what stood there. */
function open(path: string): { readonly file: number; readonly isNew: boolean } {
  try {
    return { file: openSync(path, 'r+'), isNew: false };
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
    return { file: openSync(path, 'wx', 0o600), isNew: true };
  }
}
