/** Whether there is time for the long form of a test (`npm run test:long`). */
export const IS_LONG = process.env['AGENTRELAY_LONG'] === '1';

/** For tests that do much: milliseconds. */
export const PATIENCE_MS = IS_LONG ? 900_000 : 120_000;

/** How often a property is tried. */
export function runs(usual: number): number {
  return IS_LONG ? usual * 20 : usual;
}
