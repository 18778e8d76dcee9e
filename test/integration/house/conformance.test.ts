import { describe, expect, test } from 'vitest';
import { CHAPTERS, REQUIREMENTS } from '../relay/conformance/requirements/index.ts';
import { filesUnder } from './source-files.ts';

/** Ids with which tests say what they show. */
const SHOWN = filesUnder(['test'], ['.test.ts'])
  .flatMap(({ text }) => [
    ...text.matchAll(/\b(?:meets|meetsOnce|meetsOver|sourcesOf)\(\s*(?:'[^']+',\s*)?\[([^\]]*)\]/g),
  ])
  .flatMap(([, list = '']) => [...list.matchAll(/'([^']+)'/g)].map(([, id = '']) => id));

describe('the requirements of A2A', () => {
  test('have ids of their own, by their sections, and one sentence each', () => {
    const ids = REQUIREMENTS.map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(200);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
    expect(ids.filter((id) => !/^(?:(?:\d{1,2}|A)(?:\.\d{1,2}){0,2}|[a-z-]+)-\d{1,2}$/.test(id))).toEqual([]);
    expect(REQUIREMENTS.filter(({ says }) => !/^[A-Z`“].*\.$/.test(says))).toEqual([]);
  });

  test('come in the order of their sections', () => {
    for (const { title, requirements } of CHAPTERS) {
      const ids = requirements.map(({ id }) => id).filter((id) => /^\d/.test(id));
      expect([title, ids]).toEqual([title, ids.toSorted(bySection)]);
    }
  });

  test('that are not met, or bind somebody else, say why', () => {
    expect(REQUIREMENTS.filter(({ status, why }) => status !== 'met' && why === '')).toEqual([]);
  });

  test('that have to be met, and are, are each shown by a test', () => {
    const musts = REQUIREMENTS.filter(({ level, status }) => level.startsWith('MUST') && status === 'met');
    expect(musts.map(({ id }) => id).filter((id) => !SHOWN.includes(id))).toEqual([]);
  });

  test('are shown by one test each, and by none where they are not met', () => {
    expect(SHOWN.filter((id, at) => SHOWN.indexOf(id) !== at)).toEqual([]);
    const met = new Set(REQUIREMENTS.filter(({ status }) => status === 'met').map(({ id }) => id));
    expect(SHOWN.filter((id) => !met.has(id))).toEqual([]);
  });
});

/** `3.1.10-2` comes after `3.1.2-1`. */
function bySection(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}
