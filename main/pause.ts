/** Waits; without `ms`, until the signal alone ends it. */
export async function pause(ms: number | undefined, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = (): void => resolve();
  const timer = ms === undefined ? undefined : setTimeout(end, ms);
  signal.addEventListener('abort', end, { once: true });
  await promise;
  clearTimeout(timer);
  signal.removeEventListener('abort', end);
}
