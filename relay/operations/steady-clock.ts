/**
 * A clock that nobody sets: it begins with the time of the relay's clock, and from then on counts what has passed. Leases are
 * counted by it, so that a clock that is put right, forward or back, ends no work and holds none up. Where it does not
 * count while the machine sleeps, it falls behind; what is measured by it then waits the longer.
 * @param clock milliseconds since the epoch
 * @param ticks milliseconds from any beginning, which only grow
 */
export function steadyClock(clock: () => number, ticks: () => number): () => number {
  const beginning = clock() - ticks();
  return () => Math.round(beginning + ticks());
}
