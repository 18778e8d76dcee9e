/** The program was called in a way that it does not know. One sentence for the person who called it; exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** AgentRelay cannot start here. One sentence that says why and what to do; exit code 1, no stack trace. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/**
 * The StartError for a file or folder that cannot be used as it is; one that says what to do already stays as it is.
 * @param error what the system, or SQLite, said to it
 */
export function unusable(path: string, error: unknown): StartError {
  if (error instanceof StartError) return error;
  const code = systemCode(error) ?? 'unknown error';
  return new StartError(`${path} cannot be used (${code}). ${adviceOn(code)}`, { cause: error });
}

function adviceOn(code: string): string {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'Make room on its disk.';
    case 'ENOENT':
      return 'It cannot be made there. Choose another data folder with --home or AGENTRELAY_HOME.';
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return 'Make it writable for you, or choose another data folder with --home or AGENTRELAY_HOME.';
    default:
      return 'Move away what is there, or choose another data folder with --home or AGENTRELAY_HOME.';
  }
}

/** The `code` of an error of the operating system (`ENOENT`, `EADDRINUSE`); undefined for every other error. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
