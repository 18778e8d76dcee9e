/**
 * Cuts a stream of bytes into lines (UTF-8, ended by a line feed), in whatever pieces they arrive.
 *
 * @param maxBytes longest line, without its line feed
 * @param onLine a line, not empty, without its ending
 * @param onTooLong a line has more than `maxBytes`; what follows is ignored
 */
export function lineReader(
  maxBytes: number,
  onLine: (line: string) => void,
  onTooLong: () => void,
): (chunk: Buffer) => void {
  // Joined once a line is whole: a long line in many small chunks would otherwise be copied for each of them.
  let pieces: Buffer[] = [];
  let size = 0;
  let over = false;
  return (chunk) => {
    let start = 0;
    while (!over) {
      const end = chunk.indexOf(0x0a, start);
      const piece = chunk.subarray(start, end === -1 ? undefined : end);
      size += piece.length;
      if (size > maxBytes) {
        over = true;
        pieces = [];
        onTooLong();
        return;
      }
      if (piece.length > 0) pieces.push(piece);
      if (end === -1) return;
      const line = Buffer.concat(pieces).toString('utf8').trim();
      pieces = [];
      size = 0;
      start = end + 1;
      if (line !== '') onLine(line);
    }
  };
}
