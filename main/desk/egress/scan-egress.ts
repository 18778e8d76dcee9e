import type { EgressFinding } from '../../../relay/contract/outbox.ts';
import { mask, type Passage, type Range } from './finding.ts';
import { scanWithPreset } from './preset.ts';
import { readAll } from './readings.ts';
import { assignments } from './rules/assignments.ts';
import { awsPairs } from './rules/aws-pairs.ts';
import { connectionStrings } from './rules/connection-strings.ts';
import { headers } from './rules/headers.ts';
import { homePaths } from './rules/home-paths.ts';
import { privateKeys } from './rules/private-keys.ts';
import type { Rule } from './rules/rule.ts';
import { vendorKeys } from './rules/vendor-keys.ts';

/** Characters that are looked through, in all passages together: as much as a relay takes in one request. */
export const MAX_SCANNED = 1024 * 1024;

export interface EgressContext {
  /** The person's home folders, as the system names them. */
  readonly homeDirs: readonly string[];
}

/** The first to find something gives it its name. */
const RULES: readonly Rule[] = [...privateKeys, vendorKeys, awsPairs, ...connectionStrings, ...headers, ...assignments];

/**
 * Looks through texts that are about to leave for what should not: secrets, and paths that tell of a person's machine.
 * Pure. Findings are in the order of the passages, then of their places, and never overlap within one. Texts that are too
 * long to be looked through are a finding (`too-large`), and then the only one.
 */
export async function scanEgress(
  passages: readonly Passage[],
  { homeDirs }: EgressContext,
): Promise<readonly EgressFinding[]> {
  const size = passages.reduce((sum, { text }) => sum + text.length, 0);
  if (size > MAX_SCANNED) return [tooLarge(passages)];
  const readings = readAll(passages);
  const ranges: Range[] = [...RULES, ...homePaths(homeDirs)].flatMap((rule) => [...rule(readings.text)]);
  ranges.push(...(await scanWithPreset(readings.text)));

  const found = new Map<Passage, Range[]>();
  for (const { rule, start, end } of ranges) {
    const { passage, ...place } = readings.locate(start, end);
    const others = found.get(passage) ?? [];
    others.push({ rule, ...place });
    found.set(passage, others);
  }
  return passages.flatMap((passage) =>
    apart(found.get(passage) ?? []).map(({ rule, start, end }) => ({
      where: passage.where,
      rule,
      start,
      end,
      masked: mask(passage.text.slice(start, end)),
    })),
  );
}

/** Ranges in the order of their places, those that overlap made one, which has the name of the earliest in the list. */
function apart(ranges: readonly Range[]): readonly Range[] {
  const sorted = ranges
    .map((range, rank) => ({ ...range, rank }))
    .toSorted((one, other) => one.start - other.start || one.rank - other.rank);
  const merged: (Range & { readonly rank: number })[] = [];
  for (const range of sorted) {
    const before = merged.at(-1);
    if (before === undefined || range.start >= before.end) {
      merged.push(range);
      continue;
    }
    const named = range.rank < before.rank ? range : before;
    merged[merged.length - 1] = { ...named, start: before.start, end: Math.max(before.end, range.end) };
  }
  return merged.map(({ rule, start, end }) => ({ rule, start, end }));
}

/** The longest is marked: without it the others might have been looked through. */
function tooLarge(passages: readonly Passage[]): EgressFinding {
  const { where, text } = passages.reduce((one, other) => (other.text.length > one.text.length ? other : one));
  return { where, rule: 'too-large', start: 0, end: text.length, masked: `…, ${text.length} characters` };
}
