import { describe, expect, test } from 'vitest';
import { searchNeedles, searchTerms } from '../../../relay/store/search-terms.ts';
import type { DirectoryQuery, Profile } from '../../../relay/store/ports.ts';

interface Said {
  readonly skills?: readonly string[];
  readonly repos?: readonly string[];
  readonly profile?: Profile;
}

/** Whether an agent is found, as a store would see it. */
function finds(
  query: Pick<DirectoryQuery, 'text' | 'skill' | 'repo'>,
  { skills = [], repos = [], profile }: Said,
): boolean {
  const terms = searchTerms({
    name: 'frank',
    displayName: 'Frank Größe',
    description: 'Frontend of the SHOP.',
    role: 'frontend',
    skills,
    repos,
    ...(profile === undefined ? {} : { profile }),
  });
  const { words, skill, paths } = searchNeedles(query);
  return (
    words.every((word) => terms.text.includes(word)) &&
    (skill === undefined || terms.skills.includes(skill)) &&
    (paths === undefined || paths.some((path) => terms.repos.includes(path)))
  );
}

describe('words', () => {
  test.each([
    ['frank', true],
    ['FRONT', true],
    ['shop frank', true],
    ['größe', true],
    ['GRÖSSE', false],
    ['ＦＲＡＮＫ', true],
    ['shop backend', false],
    ['100%', false],
    ['_rank', false],
    ['', true],
    ['   ', true],
    ['tail css', true],
    ['pages', true],
  ])('%j: %s', (text, found) => {
    const profile = { skills: [{ id: 'next', name: 'Next.js', description: 'Pages.', tags: ['react'] }] };
    expect(finds({ text }, { skills: ['Tailwind CSS'], profile })).toBe(found);
  });
});

describe('a skill', () => {
  test.each([
    ['tailwind', true],
    ['TAILWIND CSS', true],
    ['css', true],
    ['tailwind-css', true],
    ['css tailwind', false],
    ['tail', false],
    ['java', false],
    ['javascript', true],
    ['next.js', true],
    ['next.js.', true],
    ['next', false],
    ['c++', true],
    ['c', false],
    ['c#', true],
    ['code review', true],
    ['reviews', false],
    ['lint', true],
    ['', false],
    ['?', false],
  ])('%j: %s', (skill, found) => {
    const profile = { skills: [{ id: 'code_review', name: 'Reading', description: 'Reviews.', tags: ['lint'] }] };
    expect(finds({ skill }, { skills: ['Tailwind CSS', 'JavaScript', 'Next.js', 'C++', 'c#'], profile })).toBe(found);
  });

  test('is not made of two that stand beside each other', () => {
    expect(finds({ skill: 'css go' }, { skills: ['css', 'go'] })).toBe(false);
  });
});

describe('a repository', () => {
  test.each([
    ['apps/web', true, 'itself'],
    ['apps/web/', true, 'itself, as a folder'],
    ['/apps/web', true, 'itself, from the root'],
    ['./apps/web', true, 'itself, from here'],
    ['APPS/Web', true, 'itself, in other letters'],
    ['apps/web/src/button.tsx', true, 'something below'],
    ['apps', true, 'something above'],
    ['web', true, 'a part of it'],
    ['apps/we', false, 'half a name'],
    ['apps/website', false, 'a longer name'],
    ['eb', false, 'a piece of a name'],
    ['apps/ui', false, 'parts of two'],
    ['web/packages', false, 'the end of one and the start of another'],
    ['packages/ui/x', true, 'below another one'],
    ['src/apps/web', false, 'the same names elsewhere'],
    ['acme/api', true, 'an address, without its host'],
    ['https://github.com/acme/api', true, 'an address'],
    ['https://github.com/acme/api.git', true, 'an address as git has it'],
    ['git@github.com:acme/api.git', true, 'an address over ssh'],
    ['github.com/acme/api/src/main.go', true, 'a file there'],
    ['gitlab.com/acme/api', false, 'another host'],
    ['', false, 'nothing'],
    ['/', false, 'the root'],
    [`apps/web/${'x/'.repeat(200)}`, true, 'very far below'],
  ])('%j: %s (%s)', (repo, found) => {
    expect(finds({ repo }, { repos: ['apps/web/', 'packages/ui/', 'git@github.com:acme/api.git'] })).toBe(found);
  });

  test('is found by nobody who owns none', () => {
    for (const repo of ['', '/', 'a', '\n']) expect(finds({ repo }, {})).toBe(false);
  });
});
