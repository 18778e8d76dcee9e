import { parseHandle } from './handle.ts';
import { asRead, skeleton } from './look-alikes.ts';
import { visibleLine } from './plain-text.ts';

/** Alphabets with letters that pass for Latin ones, beside a Latin letter, within one word. */
const MIXED =
  /\p{scx=Latn}[\p{L}\p{M}]*[\p{scx=Cyrl}\p{scx=Grek}\p{scx=Armn}\p{scx=Cher}]|[\p{scx=Cyrl}\p{scx=Grek}\p{scx=Armn}\p{scx=Cher}][\p{L}\p{M}]*\p{scx=Latn}/u;
/** Latin letters in another dress: wide ones, mathematical ones. */
const DRESSED = /[\uFF01-\uFF5E\u{1D400}-\u{1D7FF}]/u;

/**
 * A handle to show. Handles are ASCII; what is none, and looks like one, says so: `аlice@acme ⟨looks like alice@acme⟩`.
 * So does one that passes for another that the reader knows.
 * @param known handles that the reader knows
 */
export function visibleHandle(handle: string, known: readonly string[] = []): string {
  const model = known.find((one) => passesFor(handle, one)) ?? (parseHandle(handle) ? undefined : handleIn(handle));
  return marked(handle, model);
}

/**
 * What an agent calls itself, to show beside its handle. A name is free text, and no identity: one that reads as the
 * handle of somebody else, or whose letters only look like those that one reads, says so.
 * @param handle its own, in full
 * @param known handles that the reader knows
 */
export function visibleName(name: string, handle: string, known: readonly string[] = []): string {
  const own = [handle, nameOf(handle)].some((one) => one === name.trim().toLowerCase());
  if (own) return visibleLine(name);
  const other = known.find((one) => one !== handle && (reads(name, one) || reads(name, nameOf(one))));
  if (other !== undefined) return marked(name, other);
  const read = asRead(name).trim();
  const isHandle = read.includes('@') && parseHandle(read) !== undefined;
  return marked(name, isHandle || MIXED.test(name) || DRESSED.test(name) ? read : undefined);
}

function marked(text: string, model: string | undefined): string {
  const shown = visibleLine(text);
  return model === undefined ? shown : `${shown} \u27e8looks like ${visibleLine(model)}\u27e9`;
}

/** Whether one handle is another than a known one, and looks the same. */
function passesFor(handle: string, known: string): boolean {
  return handle.toLowerCase() !== known && reads(handle, known);
}

function reads(text: string, as: string): boolean {
  return skeleton(text.trim()) === skeleton(as);
}

function nameOf(handle: string): string {
  return handle.split('@', 1)[0] ?? '';
}

function handleIn(text: string): string | undefined {
  const read = asRead(text).trim();
  return parseHandle(read) === undefined ? undefined : read;
}
