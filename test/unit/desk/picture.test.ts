import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPicture } from '../../../main/desk/picture.ts';
import type { InboxItem } from '../../../relay/contract/desk-api.ts';
import { sampleFrame, sampleView, viewAt, rowOf } from './samples.ts';

function versions(items: readonly InboxItem[]): Record<string, number> {
  return Object.fromEntries(items.map((item) => [item.task_id, item.handoff.version]));
}

describe('the picture', () => {
  it('tells of each event once, in whatever order views and events come', () => {
    const picture = createPicture(() => rowOf);
    expect(picture.take(sampleFrame('t1', 1))?.handoff.version).toBe(1);
    expect(picture.take(sampleFrame('t1', 1))).toBeUndefined();
    expect(picture.take(sampleFrame('t1', 2))?.handoff.version).toBe(2);
    expect(picture.take(sampleFrame('t1', 1))).toBeUndefined();
    expect(versions(picture.items())).toEqual({ t1: 2 });
  });

  it('never shows an older handoff with a newer event', () => {
    const picture = createPicture(() => rowOf);
    picture.learn(viewAt('t1', 5));
    expect(picture.take(sampleFrame('t1', 4))?.handoff.version).toBe(5);
  });

  it('tells of an event that an answer was ahead of', () => {
    const picture = createPicture(() => rowOf);
    picture.take(sampleFrame('t1', 1));
    picture.learn(viewAt('t1', 2));
    expect(picture.get('t1')?.version).toBe(2);
    expect(picture.take(sampleFrame('t1', 2))).toMatchObject({ task_id: 't1', handoff: { version: 2 } });
  });

  it('tells of each event of a replay, although all of them come with the newest handoff', () => {
    const picture = createPicture(() => rowOf);
    const told = [1, 2, 3].map((version) => picture.take(sampleFrame('t1', version, 3))?.handoff.version);
    expect(told).toEqual([3, 3, 3]);
  });

  it('goes on after a gap: what lies in it is in the thread, at the relay', () => {
    const picture = createPicture(() => rowOf);
    picture.take(sampleFrame('t1', 1));
    expect(picture.take(sampleFrame('t1', 7))?.handoff.version).toBe(7);
    expect(picture.take(sampleFrame('t1', 3))).toBeUndefined();
  });

  it('holds after a list what the list says and nothing else', () => {
    const picture = createPicture(() => rowOf);
    picture.take(sampleFrame('gone', 3));
    picture.take(sampleFrame('t1', 9));
    picture.replace([viewAt('t1', 2), viewAt('t2', 1)]);
    expect(versions(picture.items())).toEqual({ t1: 2, t2: 1 });
    expect(picture.take(sampleFrame('t1', 2))).toBeUndefined();
    expect(picture.take(sampleFrame('t1', 3))?.handoff.version).toBe(3);
  });

  it('takes the newer of two rows of one list: it moved while the pages were read', () => {
    const picture = createPicture(() => rowOf);
    picture.replace([viewAt('t1', 4), viewAt('t1', 2)]);
    expect(versions(picture.items())).toEqual({ t1: 4 });
    picture.replace([viewAt('t1', 2), viewAt('t1', 4)]);
    expect(versions(picture.items())).toEqual({ t1: 4 });
  });

  it('counts what is closed beyond the list, and one of these no more when it is heard of', () => {
    const picture = createPicture(() => rowOf);
    picture.replace([viewAt('t1', 1)], 2);
    picture.take(sampleFrame('t1', 2));
    picture.take(sampleFrame('t2', 1));
    expect(picture.moreClosed()).toBe(2);
    const late = sampleFrame('old', 9);
    picture.take({ ...late, handoff: { ...late.handoff, state: 'completed' } });
    expect(picture.moreClosed()).toBe(1);
    picture.replace([]);
    expect(picture.moreClosed()).toBe(0);
  });

  it('shows rows as the account sees them', () => {
    const picture = createPicture(() => rowOf);
    picture.replace([sampleView()]);
    expect(picture.items()).toMatchObject([{ account: 'frank@acme', peer: 'alice@acme', group: 'needs_you' }]);
    expect(picture.get('t2')).toBeUndefined();
  });

  it('is the same after any order and repetition of the same frames and answers', () => {
    const told = fc.record({
      kind: fc.constantFrom('frame', 'answer'),
      task: fc.constantFrom('a', 'b', 'c'),
      version: fc.integer({ min: 1, max: 6 }),
      ahead: fc.nat(2),
    });
    fc.assert(
      fc.property(
        fc.array(told, { minLength: 1, maxLength: 30 }).chain((once) =>
          fc.tuple(
            fc.constant(once),
            // the same, some of it again, shuffled
            fc
              .subarray(once)
              .chain((again) => fc.shuffledSubarray([...once, ...again], { minLength: once.length + again.length })),
          ),
        ),
        ([once, shuffled]) => {
          const pictures = [once, shuffled].map((sequence) => {
            const picture = createPicture(() => rowOf);
            for (const { kind, task, version, ahead } of sequence) {
              if (kind === 'frame') picture.take(sampleFrame(task, version, version + ahead));
              else picture.learn(viewAt(task, version));
            }
            return versions(picture.items());
          });
          expect(pictures[1]).toEqual(pictures[0]);
        },
      ),
    );
  });

  it('never tells of one event twice, and of all of them when they come in order', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom('a', 'b'), fc.integer({ min: 1, max: 5 }))), (sequence) => {
        const picture = createPicture(() => rowOf);
        const told = sequence
          .filter(([task, version]) => picture.take(sampleFrame(task, version)) !== undefined)
          .map(([task, version]) => `${task}${version}`);
        expect(new Set(told).size).toBe(told.length);
      }),
    );
  });
});
