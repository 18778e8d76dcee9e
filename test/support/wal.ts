import { readFileSync } from 'node:fs';

const HEADER = 32;
const FRAME_HEADER = 24;

/** How many COMMITs lie in a database's write-ahead log (https://sqlite.org/fileformat.html#the_write_ahead_log). */
export function commitsInWal(file: string): number {
  const wal = readFileSync(`${file}-wal`);
  const pageSize = wal.readUInt32BE(8);
  const salts = wal.subarray(16, 24);
  let commits = 0;
  for (let frame = HEADER; frame + FRAME_HEADER + pageSize <= wal.length; frame += FRAME_HEADER + pageSize) {
    // what lies behind the newest frame is left over from before the log began anew
    if (!wal.subarray(frame + 8, frame + 16).equals(salts)) break;
    // the size of the database after a COMMIT; 0 within one
    if (wal.readUInt32BE(frame + 4) !== 0) commits++;
  }
  return commits;
}
