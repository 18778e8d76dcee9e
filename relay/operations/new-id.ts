import { v7 as uuidv7 } from 'uuid';

/** Random bytes that are drawn at once: one draw costs as much as a hundred ids. */
const POOL = 16 * 256;

/**
 * Makes UUIDs of version 7 (RFC 9562 section 5.7), each greater than the one before it, also within a millisecond and
 * when the clock steps back: rows that are made one after another lie beside each other in an index.
 * @param clock milliseconds since the epoch
 * @param random that many bytes from a cryptographic source
 */
export function createIdSource(clock: () => number, random: (bytes: number) => Uint8Array): () => string {
  let pool = new Uint8Array();
  let used = 0;
  let msecs = Number.NEGATIVE_INFINITY;
  let seq = 0;
  return () => {
    if (used === pool.length) {
      pool = new Uint8Array(random(POOL));
      used = 0;
    }
    const bytes = pool.subarray(used, (used += 16));
    const now = clock();
    if (now > msecs) {
      msecs = now;
      // the counter starts low, so that it never runs over within one millisecond
      seq = new DataView(bytes.buffer, bytes.byteOffset).getUint16(0);
    } else {
      seq += 1;
    }
    return uuidv7({ random: bytes, msecs, seq });
  };
}
