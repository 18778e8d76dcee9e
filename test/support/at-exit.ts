const pending: (() => void)[] = [];

process.on('exit', () => {
  for (const clean of pending.toReversed()) clean();
});

/**
 * Cleans up when this process ends before the test did: one that takes too long is left where it stands, and disposes
 * of nothing. The last one first.
 * @returns takes the clean-up back
 */
export function atExit(clean: () => void): () => void {
  pending.push(clean);
  return () => void pending.splice(pending.indexOf(clean), 1);
}
