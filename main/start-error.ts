/** The program was called in a way that it does not know. One sentence for the person who called it; exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** AgentRelay cannot start here. One sentence that says why and what to do; exit code 1, no stack trace. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** The `code` of an error of the operating system (`ENOENT`, `EADDRINUSE`); undefined for every other error. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
