import { HIDDEN } from './hidden-characters.ts';

/**
 * A value as JSON in which every character that shows nothing or steers a terminal is written as `\uXXXX`: the same value
 * to whoever parses it, and harmless to whoever looks at it. What JSON has no form for (undefined) is `null`.
 */
export function printableJson(value: unknown): string {
  return escapeHidden(JSON.stringify(value) ?? 'null');
}

/**
 * The same for JSON that is written already.
 * @param json without line feeds between its members, or they would be escaped too; one at the end is kept
 */
export function escapeHidden(json: string): string {
  return json.replace(HIDDEN, (hidden, at: number) =>
    hidden === '\n' && at === json.length - 1 ? hidden : asEscapes(hidden),
  );
}

function asEscapes(character: string): string {
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');
}
