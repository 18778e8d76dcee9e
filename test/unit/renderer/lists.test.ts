import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Group } from '../../../relay/contract/desk-api.ts';
import { makeRow, relayName, type Row } from '../../../renderer/state/item.ts';
import { layOut } from '../../../renderer/state/list-layout.ts';
import {
  filterCounts,
  GROUP_NAMES,
  rowsOf,
  sectionsOf,
  stepFrom,
  type Filter,
} from '../../../renderer/state/sections.ts';
import { item } from './samples.ts';

const row = (id: string, group: Group): Row => makeRow(item({ task_id: id }, { group }));
const ROWS = [
  row('n1', 'needs_you'),
  row('w1', 'waiting'),
  row('d1', 'done'),
  row('n2', 'needs_you'),
  row('k1', 'working'),
];
const groups = (filter: Filter, total = 1): unknown =>
  sectionsOf(ROWS, filter, total).map(({ group, count, rows }) => [
    group,
    count,
    rows.map(({ item: { task_id: id } }) => id),
  ]);

describe('the sections of the list', () => {
  it('have what needs you first, and what is done last', () => {
    expect(groups('inbox')).toEqual([
      ['needs_you', 2, ['n1', 'n2']],
      ['working', 1, ['k1']],
      ['waiting', 1, ['w1']],
      ['done', 1, ['d1']],
    ]);
  });

  it('follow the filter', () => {
    expect(groups('waiting')).toEqual([['waiting', 1, ['w1']]]);
    expect(groups('done')).toEqual([['done', 1, ['d1']]]);
  });

  it('count all that is done, not only what is listed', () => {
    expect(groups('done', 214)).toEqual([['done', 214, ['d1']]]);
    expect(groups('done', 0)).toEqual([['done', 1, ['d1']]]);
  });

  it('are left out where they are empty, and have names', () => {
    expect(sectionsOf([], 'inbox', 0)).toEqual([]);
    expect(Object.values(GROUP_NAMES)).toEqual(['Needs you', 'Working', 'Waiting on others', 'Done']);
  });

  it('are counted for the navigation: what is one’s own work waits on nobody', () => {
    expect(filterCounts(ROWS)).toEqual({ inbox: 2, waiting: 1 });
    expect(filterCounts([])).toEqual({ inbox: 0, waiting: 0 });
  });
});

describe('stepping through the rows', () => {
  const rows = rowsOf(sectionsOf(ROWS, 'inbox', 1));
  const step = (id: string | undefined, by: 1 | -1): string | undefined =>
    stepFrom(rows, id === undefined ? undefined : `alice@acme ${id}`, by)?.item.task_id;

  it('goes through all groups and stops at both ends', () => {
    expect([step('n1', 1), step('n2', 1), step('d1', 1), step('n1', -1), step('k1', -1)]).toEqual([
      'n2',
      'k1',
      'd1',
      'n1',
      'n2',
    ]);
  });

  it('begins at an end when nothing, or nothing of this list, is selected', () => {
    expect([step(undefined, 1), step(undefined, -1), step('gone', 1)]).toEqual(['n1', 'd1', 'n1']);
    expect(stepFrom([], 'x', 1)).toBeUndefined();
  });
});

describe('the layout of the list', () => {
  const SIZES = { row: 52, heading: 28, gap: 8 };

  it('puts headings and rows under each other, with a gap between groups', () => {
    const { lines, groups: spans, total } = layOut(sectionsOf(ROWS, 'inbox', 1), SIZES);
    expect(lines.map(({ kind, size }) => [kind, size])).toEqual([
      ['heading', 28],
      ['row', 52],
      ['row', 52],
      ['heading', 36],
      ['row', 52],
      ['heading', 36],
      ['row', 52],
      ['heading', 36],
      ['row', 52],
    ]);
    expect(spans.map(({ start, size }) => [start, size])).toEqual([
      [0, 132],
      [140, 80],
      [228, 80],
      [316, 80],
    ]);
    expect(total).toBe(5);
  });

  it('numbers the rows through all groups, and finds them', () => {
    const { lines, indexOf } = layOut(sectionsOf(ROWS, 'inbox', 1), SIZES);
    const positions = lines.flatMap((line) => (line.kind === 'row' ? [line.position] : []));
    expect(positions).toEqual([1, 2, 3, 4, 5]);
    for (const [key, index] of indexOf) expect(lines[index]?.id).toBe(key);
    expect(indexOf.size).toBe(5);
  });

  it('is as high as its lines, and every row lies within its group', () => {
    const anyGroup = fc.constantFrom<Group>('needs_you', 'working', 'waiting', 'done');
    fc.assert(
      fc.property(fc.array(anyGroup, { maxLength: 40 }), (list) => {
        const rows = list.map((group, index) => row(`t${index}`, group));
        const { lines, groups: spans } = layOut(sectionsOf(rows, 'inbox', 0), SIZES);
        const height = lines.reduce((sum, { size }) => sum + size, 0);
        const last = spans.at(-1);
        expect(last === undefined ? 0 : last.start + last.size).toBe(height);
        let top = 0;
        for (const line of lines) {
          const span = spans.find(({ group }) => group === line.group);
          if (line.kind === 'row' && span !== undefined) {
            expect(top).toBeGreaterThanOrEqual(span.start + SIZES.heading);
            expect(top + line.size).toBeLessThanOrEqual(span.start + span.size);
          }
          top += line.size;
        }
      }),
    );
  });
});

describe('the name of a relay', () => {
  it('is what is behind the @', () => {
    expect(relayName({ handle: 'alice@acme' })).toBe('acme');
  });
});
