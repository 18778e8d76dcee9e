import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Group } from '../../../relay/contract/desk-api.ts';
import {
  makeOutboxRow,
  makeRow,
  outboxKey,
  relayName,
  selectedKey,
  selectionOf,
  type ListRow,
  type Row,
} from '../../../renderer/state/item.ts';
import { layOut } from '../../../renderer/state/list-layout.ts';
import {
  filterCounts,
  needsPerson,
  rowsOf,
  SECTION_NAMES,
  sectionsOf,
  stepFrom,
  type Filter,
} from '../../../renderer/state/sections.ts';
import { item, unsent } from './samples.ts';

const row = (id: string, group: Group): Row => makeRow(item({ task_id: id }, { group }));
const ROWS = [
  row('n1', 'needs_you'),
  row('w1', 'waiting'),
  row('d1', 'done'),
  row('n2', 'needs_you'),
  row('k1', 'working'),
];
const OUTBOX = [
  unsent({ id: 'contact', state: 'waiting_contact', created_at: 3 }),
  unsent({ id: 'secret', state: 'needs_human', created_at: 1 }),
  unsent({ id: 'back', state: 'returned', created_at: 2 }),
  unsent({ id: 'relay', state: 'waiting_relay', created_at: 4 }),
];
const idOf = (one: ListRow): string => ('waits' in one ? one.waits.id : one.item.task_id);
const all = (doneTotal = 1): Parameters<typeof sectionsOf>[0] => ({ rows: ROWS, outbox: [], doneTotal });
const sections = (filter: Filter, listed = all()): unknown =>
  sectionsOf(listed, filter).map(({ name, count, rows }) => [name, count, rows.map(idOf)]);

describe('the sections of the list', () => {
  it('have what needs you first, and what is done last', () => {
    expect(sections('inbox')).toEqual([
      ['needs_you', 2, ['n1', 'n2']],
      ['working', 1, ['k1']],
      ['waiting', 1, ['w1']],
      ['done', 1, ['d1']],
    ]);
  });

  it('follow the filter', () => {
    expect(sections('waiting')).toEqual([['waiting', 1, ['w1']]]);
    expect(sections('done')).toEqual([['done', 1, ['d1']]]);
  });

  it('count all that is done, not only what is listed', () => {
    expect(sections('done', all(214))).toEqual([['done', 214, ['d1']]]);
    expect(sections('done', all(0))).toEqual([['done', 1, ['d1']]]);
  });

  it('are left out where they are empty, and have names', () => {
    expect(sectionsOf({ rows: [], outbox: [], doneTotal: 0 }, 'inbox')).toEqual([]);
    expect(Object.values(SECTION_NAMES)).toEqual([
      'Needs you',
      'Waits to be sent',
      'Held by your rules',
      'Working',
      'Waiting on others',
      'Done',
    ]);
  });

  it('are counted for the navigation: what is one’s own work waits on nobody', () => {
    expect(filterCounts(all())).toEqual({ inbox: 2, waiting: 1 });
    expect(filterCounts({ rows: [], outbox: [] })).toEqual({ inbox: 0, waiting: 0 });
  });

  it('have what rules hold apart from what needs you: it is no number to watch', () => {
    const rows = [...ROWS, row('h1', 'held')];
    expect(sections('inbox', { ...all(), rows })).toContainEqual(['held', 1, ['h1']]);
    expect(filterCounts({ rows, outbox: [] })).toEqual({ inbox: 2, waiting: 1 });
  });
});

describe('what waits to be sent', () => {
  it('is a section behind what needs you, with what needs a person first', () => {
    const names = sectionsOf({ ...all(), outbox: OUTBOX }, 'inbox').map(({ name }) => name);
    expect(names.slice(0, 2)).toEqual(['needs_you', 'outbox']);
    expect(sections('inbox', { ...all(), outbox: OUTBOX })).toContainEqual([
      'outbox',
      4,
      ['back', 'secret', 'relay', 'contact'],
    ]);
  });

  it('waits on others only where no person here is asked for', () => {
    expect(OUTBOX.filter(needsPerson).map(({ id }) => id)).toEqual(['secret', 'back']);
    expect(sections('waiting', { ...all(), outbox: OUTBOX })).toEqual([
      ['outbox', 2, ['relay', 'contact']],
      ['waiting', 1, ['w1']],
    ]);
    expect(sections('done', { ...all(), outbox: OUTBOX })).toEqual([['done', 1, ['d1']]]);
  });

  it('is counted with what needs you, or with what waits', () => {
    expect(filterCounts({ rows: ROWS, outbox: OUTBOX })).toEqual({ inbox: 4, waiting: 3 });
  });

  it('has a key that no handoff has, and is selected by it', () => {
    const waits = unsent({ id: 't1' });
    const selected = selectionOf(makeOutboxRow(waits));
    expect(selectedKey(selected)).toBe(outboxKey(waits));
    expect(outboxKey(waits)).not.toBe(row('t1', 'done').key);
    expect(selectedKey(selectionOf(row('t1', 'done')))).toBe(row('t1', 'done').key);
    expect(selectedKey(undefined)).toBeUndefined();
  });
});

describe('stepping through the rows', () => {
  const rows = rowsOf(sectionsOf(all(), 'inbox'));
  const ids = (found: ListRow | undefined): string | undefined => found && idOf(found);
  const step = (id: string | undefined, by: 1 | -1): string | undefined =>
    ids(stepFrom(rows, id === undefined ? undefined : `alice@acme ${id}`, by));

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
    const { lines, spans, total } = layOut(sectionsOf(all(), 'inbox'), SIZES);
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

  it('numbers the rows through all sections, and finds them', () => {
    const { lines, indexOf } = layOut(sectionsOf({ ...all(), outbox: OUTBOX.slice(0, 2) }, 'inbox'), SIZES);
    const positions = lines.flatMap((line) => (line.kind === 'row' ? [line.position] : []));
    expect(positions).toEqual([1, 2, 3, 4, 5, 6, 7]);
    for (const [key, index] of indexOf) expect(lines[index]?.id).toBe(key);
    expect(indexOf.size).toBe(7);
  });

  it('is as high as its lines, and every row lies within its group', () => {
    const anyGroup = fc.constantFrom<Group>('needs_you', 'held', 'working', 'waiting', 'done');
    fc.assert(
      fc.property(fc.array(anyGroup, { maxLength: 40 }), (list) => {
        const rows = list.map((group, index) => row(`t${index}`, group));
        const { lines, spans } = layOut(sectionsOf({ rows, outbox: OUTBOX, doneTotal: 0 }, 'inbox'), SIZES);
        const height = lines.reduce((sum, { size }) => sum + size, 0);
        const last = spans.at(-1);
        expect(last === undefined ? 0 : last.start + last.size).toBe(height);
        let top = 0;
        for (const line of lines) {
          const span = spans.find(({ name }) => name === line.section);
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
