import { CHAPTERS } from '../../test/integration/relay/conformance/requirements/index.ts';
import type { Requirement, Status } from '../../test/integration/relay/conformance/requirements/requirement.ts';
import { table } from './table.ts';

const STATUSES: readonly Status[] = ['met', 'not met', 'not ours'];
const isMust = ({ level }: Requirement): boolean => level.startsWith('MUST');
const isShould = ({ level }: Requirement): boolean => level.startsWith('SHOULD');

/** A table of requirements for each chapter. */
export function conformanceTables(): string {
  return CHAPTERS.map(({ title, requirements }) => {
    const rows = requirements.map(({ id, level, says, status, why }) => [id, level, says, status, why]);
    return `### ${title}\n\n${table(['id', 'level', 'requirement', 'met?', 'why not, or what to know'], rows)}`;
  }).join('\n\n');
}

/** How many there are of each kind. */
export function conformanceCounts(): string {
  const counted = CHAPTERS.map(({ title, requirements }) => [title, ...counts(requirements)]);
  const all = counts(CHAPTERS.flatMap(({ requirements }) => requirements));
  const head = ['MUST', 'SHOULD'].flatMap((level) => STATUSES.map((status) => `${level}, ${status}`));
  return table(['chapter', ...head], [...counted, ['**all**', ...all]]);
}

function counts(requirements: readonly Requirement[]): readonly string[] {
  return [isMust, isShould].flatMap((ofLevel) =>
    STATUSES.map((wanted) => String(requirements.filter((one) => ofLevel(one) && one.status === wanted).length)),
  );
}
