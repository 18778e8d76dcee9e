import type { Group } from '../../relay/contract/desk-api.ts';
import type { ItemKey, Row } from './item.ts';
import type { Section } from './sections.ts';

/** Sizes of what the list is made of, CSS pixels. */
export interface ListSizes {
  readonly row: number;
  readonly heading: number;
  /** Between two groups. */
  readonly gap: number;
}

/** One line of the list. */
export type ListLine =
  | { readonly kind: 'heading'; readonly id: string; readonly group: Group; readonly size: number }
  | {
      readonly kind: 'row';
      readonly id: ItemKey;
      readonly group: Group;
      readonly size: number;
      readonly row: Row;
      /** Counts from 1 through all groups. */
      readonly position: number;
    };

/** Where a group begins and how far it reaches, so that its heading can stick to the top within it. */
export interface GroupSpan {
  readonly group: Group;
  readonly count: number;
  readonly start: number;
  readonly size: number;
}

export interface ListLayout {
  readonly lines: readonly ListLine[];
  readonly groups: readonly GroupSpan[];
  readonly total: number;
  /** Where the line of a row is. */
  readonly indexOf: ReadonlyMap<ItemKey, number>;
}

/** Puts the rows of all groups under each other. Every line has a fixed size, so nothing has to be measured. */
export function layOut(sections: readonly Section[], { row: rowSize, heading, gap }: ListSizes): ListLayout {
  const lines: ListLine[] = [];
  const groups: GroupSpan[] = [];
  const indexOf = new Map<ItemKey, number>();
  let offset = 0;
  let position = 0;
  for (const { group, count, rows } of sections) {
    const space = groups.length === 0 ? 0 : gap;
    const size = heading + rows.length * rowSize;
    groups.push({ group, count, start: offset + space, size });
    lines.push({ kind: 'heading', id: group, group, size: space + heading });
    for (const row of rows) {
      position += 1;
      indexOf.set(row.key, lines.length);
      lines.push({ kind: 'row', id: row.key, group, size: rowSize, row, position });
    }
    offset += space + size;
  }
  return { lines, groups, total: position, indexOf };
}
