import { UsageError } from '../start-error.ts';
import { parseDuration } from './duration.ts';

/** A point in time, once it is known what time it is; milliseconds since the epoch. */
export type Moment = (now: number) => number;

/**
 * Reads a time as a person gives it: so long ago (`30m`, `24h`, `7d`), a day (`2026-11-30`, by this machine's clock), or
 * a time in ISO 8601. Fails with a UsageError.
 * @param edge of a day, which end is meant
 */
export function readMoment(flag: string, text: string, edge: 'beginning' | 'end'): Moment {
  const ago = parseDuration(text);
  if (ago !== undefined) return (now) => now - ago;
  const at = isDay(text) ? dayEdge(text, edge) : /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(at)) return () => at;
  throw new UsageError(`${flag} is such as 24h, 7d, 2026-11-30 or 2026-11-30T14:05, not "${text}".`);
}

function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text);
}

/** A day that there is not, such as the 31st of February, is no number. */
function dayEdge(day: string, edge: 'beginning' | 'end'): number {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const first = new Date(year, month - 1, date);
  if (first.getMonth() !== month - 1 || first.getDate() !== date) return Number.NaN;
  // not a day's length later: where clocks are changed, days are longer and shorter
  return edge === 'beginning' ? first.getTime() : new Date(year, month - 1, date + 1).getTime() - 1;
}
