import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCatchUp, type Change } from '../../../main/desk/catch-up.ts';
import type { Listed } from '../../../main/desk/list-picture.ts';
import { createPicture } from '../../../main/desk/picture.ts';
import { assertNever } from '../../../relay/contract/assert-never.ts';
import type { HandoffView } from '../../../relay/contract/handoff.ts';
import { rowOf, sampleFrame, viewAt } from './samples.ts';

/** A list that is all there is. */
const only = (views: readonly HandoffView[]): Listed => ({ views, moreClosed: 0 });

function start() {
  const picture = createPicture(() => rowOf);
  return { picture, catchUp: createCatchUp(picture) };
}

describe('catching up', () => {
  it('has nowhere to resume before the first list has come', () => {
    const { catchUp } = start();
    expect(catchUp.cursor()).toBeUndefined();
    catchUp.begin('e-7');
    expect(catchUp.cursor()).toBeUndefined();
    catchUp.listed(only([]));
    expect(catchUp.cursor()).toBe('e-7');
  });

  it('resumes after the last frame', () => {
    const { catchUp } = start();
    catchUp.begin('e-7');
    catchUp.listed(only([]));
    catchUp.take('e-8', sampleFrame('t1', 1));
    catchUp.take('e-9', sampleFrame('t1', 1));
    expect(catchUp.cursor()).toBe('e-9');
  });

  it('keeps frames back until the list is there, then tells of those that it does not contain', () => {
    const { catchUp, picture } = start();
    catchUp.begin('e-7');
    expect(catchUp.take('e-8', sampleFrame('t1', 2))).toBeUndefined();
    expect(catchUp.take('e-9', sampleFrame('t1', 3))).toBeUndefined();
    expect(catchUp.take('e-10', sampleFrame('t2', 1))).toBeUndefined();
    const changes = catchUp.listed(only([viewAt('t1', 2)]));
    expect(changes.map(({ item, event }) => [item.task_id, event.version])).toEqual([
      ['t1', 3],
      ['t2', 1],
    ]);
    expect(catchUp.cursor()).toBe('e-10');
    expect(picture.items()).toHaveLength(2);
  });

  it('takes nothing before there is a list to add it to', () => {
    const { catchUp, picture } = start();
    expect(catchUp.take('e-1', sampleFrame('t1', 1))).toBeUndefined();
    expect(catchUp.cursor()).toBeUndefined();
    expect(picture.items()).toEqual([]);
  });

  it('lists anew after a list that never came: its frames are in the next one', () => {
    const { catchUp, picture } = start();
    catchUp.begin('e-7');
    catchUp.take('e-8', sampleFrame('t1', 1));
    catchUp.abandon();
    expect(catchUp.listed(only([viewAt('t1', 1), viewAt('t2', 1)]))).toEqual([]);
    expect(picture.items()).toEqual([]);
    expect(catchUp.cursor()).toBeUndefined();
    catchUp.begin('e-20');
    expect(catchUp.listed(only([viewAt('t1', 1)]))).toEqual([]);
    expect(catchUp.cursor()).toBe('e-20');
  });

  it('forgets where it was when the relay says that this is worth nothing any more', () => {
    const { catchUp } = start();
    catchUp.begin('old-7');
    catchUp.listed(only([viewAt('t1', 9)]));
    catchUp.begin('new-1');
    expect(catchUp.cursor()).toBeUndefined();
    catchUp.listed(only([viewAt('t1', 1)]));
    expect(catchUp.take('new-2', sampleFrame('t1', 2))?.item.handoff.version).toBe(2);
  });
});

type Step =
  | { readonly do: 'write'; readonly task: string }
  | { readonly do: 'deliver'; readonly count: number }
  | { readonly do: 'drop' | 'forget' | 'look' | 'list' | 'answer' | 'repeat' };

/**
 * A relay in a few lines: a feed of (task, version), one stream that drops, loses its place and repeats itself, and one
 * list, which is as old as the moment at which the relay looked. A client counts up what it is told.
 */
function simulate(steps: readonly Step[]) {
  const { picture, catchUp } = start();
  const feed: { task: string; version: number }[] = [];
  const newest = new Map<string, number>();
  let told = new Map<string, number[]>();
  let sent = 0;
  let list: { looked?: HandoffView[] } | undefined;

  const views = () => [...newest].map(([task, version]) => viewAt(task, version));
  const tell = (change: Change | undefined) => {
    if (change === undefined) return;
    const { task_id: task } = change.item;
    told.set(task, [...(told.get(task) ?? []), change.event.version]);
  };
  const resync = () => {
    sent = feed.length;
    list = {};
    catchUp.begin(String(sent));
  };
  const connect = () => {
    const cursor = catchUp.cursor();
    list = undefined;
    if (cursor === undefined) resync();
    else sent = Number(cursor);
  };
  const answerList = () => {
    if (list === undefined) return;
    const listed = list.looked ?? views();
    list = undefined;
    const changes = catchUp.listed(only(listed));
    // the client takes a new snapshot
    told = new Map(listed.map(({ task_id: task, version }) => [task, [version]]));
    changes.forEach(tell);
  };
  const deliver = (count: number) => {
    for (const { task, version } of feed.slice(sent, sent + count)) {
      sent += 1;
      tell(catchUp.take(String(sent), sampleFrame(task, version, newest.get(task))));
    }
  };
  const run = (step: Step): void => {
    switch (step.do) {
      case 'write': {
        const version = (newest.get(step.task) ?? 0) + 1;
        newest.set(step.task, version);
        feed.push({ task: step.task, version });
        return;
      }
      case 'deliver':
        return deliver(step.count);
      case 'drop':
        catchUp.abandon();
        return connect();
      case 'forget':
        return resync();
      case 'look':
        if (list !== undefined) list.looked ??= views();
        return;
      case 'list':
        return answerList();
      case 'answer':
        return views().forEach((view) => picture.learn(view));
      case 'repeat':
        sent = Math.max(0, sent - 2);
        return;
      default:
        assertNever(step);
    }
  };

  connect();
  steps.forEach(run);
  answerList();
  deliver(Infinity);
  return { picture, newest, told };
}

describe('however streams drop and lists race with frames', () => {
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant('write' as const), task: fc.constantFrom('a', 'b', 'c') }) },
    { weight: 6, arbitrary: fc.record({ do: fc.constant('deliver' as const), count: fc.integer({ min: 1, max: 4 }) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constantFrom('drop' as const, 'forget' as const, 'look' as const, 'list' as const),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('answer' as const, 'repeat' as const) }) },
  );

  it('nothing is lost and nothing is told twice', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const { picture, newest, told } = simulate(steps);
        expect(picture.items()).toHaveLength(newest.size);
        for (const [task, version] of newest) {
          expect(picture.get(task)?.version).toBe(version);
          const [first = 1, ...rest] = told.get(task) ?? [];
          // what was listed, or else the first event, and from there each one to the newest, once and in order
          expect(rest).toEqual(Array.from({ length: version - first }, (_, i) => first + 1 + i));
        }
      }),
      { numRuns: 500 },
    );
  });
});
