import type { Message, Part } from '../contract/a2a.ts';
import { artifactType } from '../contract/artifact.ts';
import { firstLine } from '../contract/one-line.ts';
import { readableText, readableTexts } from '../contract/readable-part.ts';

/** The line that stands for a handoff in lists: the first line of text, else what else there is. Never empty. */
export function summarize(message: Message): string {
  return firstLine(readableTexts(message.parts).join('\n')) ?? describe(message.parts);
}

/** A message that carries nothing: what a client sends that has an artifact to hand over, and no words. */
export function isEmptyMessage(message: Message): boolean {
  return message.parts.every((part) => 'text' in part && part.text === '');
}

/** Whether it is words alone: what anybody may ask the guide. */
export function isPlainText(message: Message): boolean {
  return message.parts.every((part) => readableText(part) !== undefined);
}

function describe(parts: readonly Part[]): string {
  const [first] = parts;
  if (first === undefined) return '(empty)';
  return first.filename ?? artifactType(first) ?? first.mediaType ?? '(no text)';
}
