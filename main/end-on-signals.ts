/** Longest that ending may take. After that the process goes as it is: the next start copes with what it finds. */
const END_PATIENCE_MS = 10_000;

/** The first signal to end aborts; more of them change nothing (Ctrl-C reaches us by the terminal and through npm). */
export function endOnSignals(): AbortSignal {
  const end = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => end.abort());
  end.signal.addEventListener('abort', () => {
    setTimeout(() => process.exit(1), END_PATIENCE_MS).unref();
  });
  return end.signal;
}
