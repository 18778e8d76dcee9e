import type { Message, Part } from '../contract/a2a.ts';
import { artifactType } from '../contract/artifact.ts';

/** The longest summary that is kept beside a handoff, in UTF-16 code units. */
const SUMMARY_LENGTH = 240;

/** The line that stands for a handoff in lists: the first line of text, else what else there is. Never empty. */
export function summarize(message: Message): string {
  const line = message.parts
    .flatMap((part) => ('text' in part ? part.text.split('\n') : []))
    .map((text) => text.trim())
    .find((text) => text !== '');
  return line === undefined ? describe(message.parts) : cut(line);
}

/** A message that carries nothing: what a client sends that has an artifact to hand over, and no words. */
export function isEmptyMessage(message: Message): boolean {
  return message.parts.every((part) => 'text' in part && part.text === '');
}

/** Whether it is words alone: what anybody may ask the guide. */
export function isPlainText(message: Message): boolean {
  return message.parts.every((part) => 'text' in part);
}

function describe(parts: readonly Part[]): string {
  const [first] = parts;
  if (first === undefined) return '(empty)';
  return first.filename ?? artifactType(first) ?? first.mediaType ?? '(no text)';
}

/** Cuts between characters, never inside a surrogate pair. */
function cut(text: string): string {
  if (text.length <= SUMMARY_LENGTH) return text;
  return `${text.slice(0, SUMMARY_LENGTH - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
