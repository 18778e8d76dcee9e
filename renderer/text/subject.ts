import type { Part } from '../../relay/contract/a2a.ts';
import { readableText } from '../../relay/contract/readable-part.ts';

/** The texts of a message by the place of their part. */
export type Texts = ReadonlyMap<number, string>;

export function textsOf(parts: readonly Part[]): Texts {
  return new Map(
    parts.flatMap((part, index) => {
      const text = readableText(part);
      return text === undefined ? [] : [[index, text] as const];
    }),
  );
}

/**
 * The texts of a thread's first message as they stand under the thread's subject: without the first line where that is
 * the subject itself, and so without a text that says nothing else.
 */
export function textsBelow(subject: string, parts: readonly Part[]): Texts {
  const texts = textsOf(parts);
  const [first] = texts;
  if (first === undefined) return texts;
  const [index, text] = first;
  const rest = withoutSubject(text, subject);
  const others = [...texts].filter(([at]) => at !== index);
  return new Map(rest === '' ? others : [[index, rest], ...others]);
}

/** The relay takes the first line with something in it, trimmed, and cuts it when it is long. */
function withoutSubject(text: string, subject: string): string {
  const [line = '', ...rest] = text.trimStart().split('\n');
  if (line.trim() !== subject) return text;
  const below = rest.join('\n').replace(/^(?:[^\S\n]*\n)+/, '');
  return below.trim() === '' ? '' : below;
}
