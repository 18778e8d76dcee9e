import type { ItemKey, ListRow } from './item.ts';
import type { Section, SectionName } from './sections.ts';

/** Sizes of what the list is made of, CSS pixels. */
export interface ListSizes {
  readonly row: number;
  readonly heading: number;
  /** Between two sections. */
  readonly gap: number;
}

/** One line of the list. */
export type ListLine =
  | { readonly kind: 'heading'; readonly id: string; readonly section: SectionName; readonly size: number }
  | {
      readonly kind: 'row';
      readonly id: ItemKey;
      readonly section: SectionName;
      readonly size: number;
      readonly row: ListRow;
      /** Counts from 1 through all sections. */
      readonly position: number;
    };

/** Where a section begins and how far it reaches, so that its heading can stick to the top within it. */
export interface SectionSpan {
  readonly name: SectionName;
  readonly count: number;
  readonly start: number;
  readonly size: number;
}

export interface ListLayout {
  readonly lines: readonly ListLine[];
  readonly spans: readonly SectionSpan[];
  readonly total: number;
  /** Where the line of a row is. */
  readonly indexOf: ReadonlyMap<ItemKey, number>;
}

/** Puts the rows of all sections under each other. Every line has a fixed size, so nothing has to be measured. */
export function layOut(sections: readonly Section[], { row: rowSize, heading, gap }: ListSizes): ListLayout {
  const lines: ListLine[] = [];
  const spans: SectionSpan[] = [];
  const indexOf = new Map<ItemKey, number>();
  let offset = 0;
  let position = 0;
  for (const { name, count, rows } of sections) {
    const space = spans.length === 0 ? 0 : gap;
    const size = heading + rows.length * rowSize;
    spans.push({ name, count, start: offset + space, size });
    lines.push({ kind: 'heading', id: name, section: name, size: space + heading });
    for (const row of rows) {
      position += 1;
      indexOf.set(row.key, lines.length);
      lines.push({ kind: 'row', id: row.key, section: name, size: rowSize, row, position });
    }
    offset += space + size;
  }
  return { lines, spans, total: position, indexOf };
}
