import { lineReader } from '../mcp/lines.ts';
import { isFinal, readStep, type Step } from './step.ts';

/** What a command has said when its output ends. */
export type Said =
  /** In lines: each was handed on as it came. */
  { readonly kind: 'steps' } | { readonly kind: 'text'; readonly text: string };

export interface Output {
  /** Reads more of it. */
  readonly take: (chunk: Buffer) => void;
  /** Reads the last line, which need not be ended. */
  end(): Said;
}

/**
 * Reads what a command writes to stdout. Its first line that is not empty decides: where that is a step, so are all
 * lines; else all of it is one text. What comes after the last word is not read.
 * @param maxBytes that it may write
 * @param onStep a step, and its number in the run
 * @param onFault it cannot be used: why, as a sentence. Nothing is read any further
 */
export function readOutput(
  maxBytes: number,
  onStep: (step: Step, number: number) => void,
  onFault: (why: string) => void,
): Output {
  let chunks: Buffer[] = [];
  let size = 0;
  let mode: 'unknown' | 'steps' | 'text' | 'over' = 'unknown';
  let lines = 0;

  const fault = (why: string): void => {
    mode = 'over';
    chunks = [];
    onFault(why);
  };
  const onLine = (line: string): void => {
    if (mode === 'text' || mode === 'over') return;
    const read = readStep(line);
    if (mode === 'unknown') mode = read.kind === 'other' ? 'text' : 'steps';
    if (mode === 'text') return;
    lines += 1;
    if (read.kind === 'step') {
      onStep(read.step, lines);
      if (isFinal(read.step)) mode = 'over';
      return;
    }
    const why = read.kind === 'wrong' ? read.why : 'it is none of the lines that a worker knows';
    fault(`Line ${lines} of the command's output cannot be used: ${why}.`);
  };
  const split = lineReader(maxBytes, onLine, () => undefined);

  return {
    take(chunk) {
      if (mode === 'over') return;
      size += chunk.length;
      if (size > maxBytes) {
        fault(`The command wrote more than ${maxBytes} bytes.`);
        return;
      }
      split(chunk);
      if (mode === 'unknown' || mode === 'text') chunks.push(chunk);
    },
    end() {
      if (mode === 'unknown' || mode === 'steps') split(Buffer.from('\n'));
      if (mode === 'steps' || mode === 'over') return { kind: 'steps' };
      return { kind: 'text', text: Buffer.concat(chunks).toString('utf8').trim() };
    },
  };
}
