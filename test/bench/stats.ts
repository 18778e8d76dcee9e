/** The value below which a share of the samples lies; `share` from 0 to 1. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** What a figure is held against, to stand behind it; nothing where the run is too short for that. */
export function budget(text: string, isQuick: boolean): string {
  return isQuick ? '' : `   (budget: ${text})`;
}

/** "1.62 (1.55 – 1.71)": median, least and most. */
export function spread(samples: readonly number[], digits: number): string {
  const [median, least, most] = [quantile(samples, 0.5), Math.min(...samples), Math.max(...samples)];
  return `${median.toFixed(digits)} (${least.toFixed(digits)} – ${most.toFixed(digits)})`;
}
