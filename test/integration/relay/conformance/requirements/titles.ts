import { requirementOf } from './index.ts';

/** The title of a test of a requirement: where it stands, also elsewhere, and what it says. */
export function titleOf(ids: readonly string[]): string {
  const [first = ''] = ids;
  return `${sourcesOf(ids)}: ${requirementOf(first).says}`;
}

/** Where requirements stand: `§3.1.4 MUST, §13.1 MUST`. In the title of a test, it says that the test shows them. */
export function sourcesOf(ids: readonly string[]): string {
  const sources = ids.map(requirementOf).map(({ section, level }) => `§${section} ${level}`);
  return [...new Set(sources)].join(', ');
}
