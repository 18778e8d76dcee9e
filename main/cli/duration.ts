const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A length of time as a person gives it: `0`, `30s`, `10m`, `24h`, `7d`. Milliseconds; undefined for what is none. */
export function parseDuration(text: string): number | undefined {
  if (text === '0') return 0;
  const [, count = '', unit = ''] = /^(\d{1,7})([smhd])$/.exec(text) ?? [];
  const unitMs = UNIT_MS[unit];
  return unitMs === undefined ? undefined : Number(count) * unitMs;
}

/** The same, written down in the largest unit of which it is a whole number. */
export function formatDuration(ms: number): string {
  const [unit, unitMs] = Object.entries(UNIT_MS).findLast(([, one]) => ms >= one && ms % one === 0) ?? [];
  return unit === undefined || unitMs === undefined ? '0' : `${ms / unitMs}${unit}`;
}
