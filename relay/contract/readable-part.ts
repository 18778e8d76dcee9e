import type { DataPart, Part, TextPart } from './a2a.ts';
import { ARTIFACT_MEDIA_TYPE } from './artifact.ts';

/**
 * What of a message may be read. A text or data of a media type that we do not know may be sealed for somebody else: it is
 * carried and named, and nobody looks into it: no list, no preview, no search.
 */

/** A part that nobody here looks into; undefined for every other one. Files are not opened in any case. */
export function sealedPart(part: Part): TextPart | DataPart | undefined {
  if (!('text' in part) && !('data' in part)) return undefined;
  const type = part.mediaType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const isKnown =
    type === '' || type.startsWith('text/') || type === 'application/json' || type === ARTIFACT_MEDIA_TYPE;
  return isKnown ? undefined : part;
}

/** The text of a part that is one, and may be read. */
export function readableText(part: Part): string | undefined {
  return 'text' in part && sealedPart(part) === undefined ? part.text : undefined;
}

/** The texts of all parts that have one, in order. */
export function readableTexts(parts: readonly Part[]): readonly string[] {
  return parts.flatMap((part) => readableText(part) ?? []);
}
