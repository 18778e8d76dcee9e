import type { Artifact, Part } from './a2a.ts';
import type { ArtifactEvent } from './handoff.ts';

/** An artifact as far as it has arrived. A chunk costs what it has itself, however long the artifact is by then. */
export interface GrowingArtifact {
  /** Takes one more chunk: appended, or in place of what was there (A2A 1.0.1, TaskArtifactUpdateEvent). */
  take(event: ArtifactEvent): void;
  /** As it stands; later chunks do not change what was given out. */
  artifact(): Artifact;
  /** Whether more chunks are to come. */
  isGrowing(): boolean;
}

/**
 * Begins an artifact with its first chunk.
 * @param joinsText whether text that goes on where the last chunk ended becomes one part: for readers, whose parts are
 *   paragraphs. On the wire the parts stay as they were sent.
 */
export function growArtifact(first: ArtifactEvent, joinsText: boolean): GrowingArtifact {
  let { artifact, lastChunk } = first;
  let parts: Part[] = [...artifact.parts];

  function append(part: Part, isFirst: boolean): void {
    const last = parts.at(-1);
    const goesOn = joinsText && isFirst && last !== undefined && 'text' in last && 'text' in part;
    if (goesOn && last.mediaType === part.mediaType) parts[parts.length - 1] = { ...last, text: last.text + part.text };
    else parts.push(part);
  }

  return {
    take(event) {
      lastChunk = event.lastChunk;
      if (event.append) {
        artifact = { ...artifact, ...event.artifact };
        for (const [index, part] of event.artifact.parts.entries()) append(part, index === 0);
      } else {
        artifact = event.artifact;
        parts = [...artifact.parts];
      }
    },
    artifact: () => ({ ...artifact, parts: [...parts] }),
    isGrowing: () => !lastChunk,
  };
}
