import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineReader } from '../../../main/mcp/lines.ts';

/** What is read of chunks of bytes; `too long` stands for the end. */
function read(chunks: readonly (string | Buffer)[], maxBytes = 1000): readonly string[] {
  const got: string[] = [];
  const push = lineReader(
    maxBytes,
    (line) => got.push(line),
    () => got.push('too long'),
  );
  for (const chunk of chunks) push(Buffer.from(chunk as string));
  return got;
}

describe('a stream of lines', () => {
  it('gives each line once it is whole', () => {
    expect(read(['{"a":', '1}\n{"b"', ':2}\n{"c'])).toEqual(['{"a":1}', '{"b":2}']);
  });

  it('gives several lines of one chunk', () => {
    expect(read(['a\nb\nc\n'])).toEqual(['a', 'b', 'c']);
  });

  it('passes over empty lines and takes line ends of Windows', () => {
    expect(read(['\n\r\na\r\n  \n'])).toEqual(['a']);
  });

  it('keeps a character together that two chunks share', () => {
    const bytes = Buffer.from('é€\n');
    expect(read([bytes.subarray(0, 1), bytes.subarray(1, 4), bytes.subarray(4)])).toEqual(['é€']);
  });

  it('takes a line of the greatest length and no longer one', () => {
    expect(read([`${'x'.repeat(10)}\n`], 10)).toEqual(['x'.repeat(10)]);
    expect(read([`${'x'.repeat(11)}\n`], 10)).toEqual(['too long']);
  });

  it('gives up before the end of a line that is too long, says so once, and reads nothing more', () => {
    expect(read(['ok\n', 'xxxxxx', 'xxxxxx', 'xxx\nok\n'], 10)).toEqual(['ok', 'too long']);
  });

  it('reads the same whatever the pieces', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ minLength: 1 }).map((s) => JSON.stringify(s))),
        fc.integer({ min: 1, max: 7 }),
        (lines, size) => {
          const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
          const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
            bytes.subarray(i * size, (i + 1) * size),
          );
          expect(read(chunks)).toEqual(lines);
        },
      ),
    );
  });
});
