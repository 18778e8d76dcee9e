import type { Agent, DirectoryQuery } from './ports.ts';

/**
 * What of an agent the directory searches, and what it looks for in it: texts folded alike on both sides, so that a store
 * has but to see whether one is in the other.
 */

/** An agent, as it is searched. */
export interface SearchTerms {
  readonly text: string;
  /** ` word word ` a line, for each id, name and tag of a skill. */
  readonly skills: string;
  /** `/segment/segment/` a line, for each repository. */
  readonly repos: string;
}

/** A query, as it is looked up. */
export interface SearchNeedles {
  /** Each of them has to be in `text`. */
  readonly words: readonly string[];
  /** Has to be in `skills`. */
  readonly skill?: string;
  /** One of them has to be in `repos`. */
  readonly paths?: readonly string[];
}

type Searched = Pick<Agent, 'name' | 'displayName' | 'description' | 'role' | 'skills' | 'repos' | 'profile'>;

/** Longer paths are no deeper than this to a search. */
const MAX_SEGMENTS = 32;

/** What is searched of an agent: everything that its card says in words, and its repositories. */
export function searchTerms(agent: Searched): SearchTerms {
  const { name, displayName, description, role = '', skills, repos, profile } = agent;
  const full = profile?.skills ?? [];
  const named = [...skills, ...full.flatMap((skill) => [skill.id, skill.name, ...skill.tags])];
  return {
    text: fold([name, displayName, description, role, ...named, ...full.map((skill) => skill.description)].join('\n')),
    skills: [...new Set(named.map(skillTerm))].join('\n'),
    repos: `\n${repos.map((repo) => pathTerm(segmentsOf(repo))).join('\n')}\n`,
  };
}
/** What a query looks for in that. */
export function searchNeedles({
  text = '',
  skill,
  repo,
}: Pick<DirectoryQuery, 'text' | 'skill' | 'repo'>): SearchNeedles {
  return {
    words: [...new Set(fold(text).split(/\s+/))].filter((word) => word !== ''),
    ...(skill === undefined ? {} : { skill: skillTerm(skill) }),
    ...(repo === undefined ? {} : { paths: pathNeedles(segmentsOf(repo)) }),
  };
}

/** Compatibility forms and letter case are one. */
function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** `Next.js`, `c++` and `c#` are words; a dot at an end is punctuation. Without a word it is in no agent's terms. */
function skillTerm(text: string): string {
  const words = fold(text)
    .split(/[^\p{L}\p{N}+#.]+/u)
    .map((word) => word.replace(/^\.+|\.+$/g, ''));
  return ` ${words.filter((word) => word !== '').join(' ')} `;
}

/** A path, or the address of a repository in any form that git takes, as its segments. */
function segmentsOf(repo: string): readonly string[] {
  return fold(repo.trim())
    .replace(/^[a-z][a-z0-9+.-]*:\/\//, '')
    .replace(/^[^/@:]*@/, '')
    .replace(/\.git\/?$/, '')
    .split(/[/\\:]+/)
    .filter((segment) => segment !== '' && segment !== '.')
    .slice(0, MAX_SEGMENTS);
}

function pathTerm(segments: readonly string[]): string {
  return `/${segments.join('/')}/`;
}

/** What lies below the path, or holds it anywhere: its segments in a row. What lies above it: a whole line. */
function pathNeedles(segments: readonly string[]): readonly string[] {
  const above = segments.map((_, depth) => `\n${pathTerm(segments.slice(0, depth + 1))}\n`);
  return [pathTerm(segments), ...above];
}
