import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../support/project-root.ts';

/** A file of this project: where it is, from the project's folder, and what is in it. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** All files below some folders (or those files themselves) whose names end in one of the given ways, in order. */
export function filesUnder(places: readonly string[], endings: readonly string[]): readonly SourceFile[] {
  return places
    .flatMap((place) => {
      if (endings.some((ending) => place.endsWith(ending))) return [place];
      const entries = readdirSync(join(ROOT, place), { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1));
    })
    .filter((path) => endings.some((ending) => path.endsWith(ending)))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
}

/** How many lines a text has. */
export function lineCount(text: string): number {
  return text.split('\n').length - 1;
}
