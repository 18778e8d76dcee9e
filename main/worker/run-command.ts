import { spawn, type ChildProcess } from 'node:child_process';

export interface CommandRun {
  /** A line for the system's shell. */
  readonly command: string;
  /** All that it reads on stdin. */
  readonly input: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How long it may take, milliseconds. */
  readonly timeoutMs: number;
  /** How long it has to end once it was asked to, milliseconds. */
  readonly killMs: number;
  readonly onOutput: (chunk: Buffer) => void;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** How a command ended, and the last of what it wrote to stderr. */
export interface CommandEnd {
  readonly how:
    | { readonly kind: 'exited'; readonly code: number }
    | { readonly kind: 'killed'; readonly signal: string }
    | { readonly kind: 'timed_out' }
    /** By `signal`. */
    | { readonly kind: 'ended' }
    | { readonly kind: 'not_started'; readonly why: string };
  readonly errors: string;
}

/** So much of stderr is kept, bytes. */
const ERRORS_KEPT = 4096;

/**
 * Runs a command to its end. It has a process group of its own, of which nothing outlives it: what a shell leaves in the
 * background ends with the shell. Whoever is to end is asked first (SIGTERM), and killed after `killMs`. Never rejects.
 */
export async function runCommand(run: CommandRun): Promise<CommandEnd> {
  if (run.signal.aborted) return { how: { kind: 'ended' }, errors: '' };
  const child = spawn(run.command, {
    shell: true,
    // a process group of its own; Windows has none, and would show a console
    detached: process.platform !== 'win32',
    windowsHide: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...run.env },
  });
  const errors = keepTail(child);
  child.stdout.on('data', run.onOutput);
  // a command need not read what it is given
  child.stdin.on('error', () => undefined).end(run.input);

  let cause: 'timed_out' | 'ended' | undefined;
  let late: NodeJS.Timeout | undefined;
  const end = (why: 'timed_out' | 'ended'): void => {
    if (cause !== undefined) return;
    cause = why;
    killGroup(child, 'SIGTERM');
    late = setTimeout(() => killGroup(child, 'SIGKILL'), run.killMs);
  };
  const onAbort = (): void => end('ended');
  const timer = setTimeout(() => end('timed_out'), run.timeoutMs);
  run.signal.addEventListener('abort', onAbort, { once: true });
  try {
    const how = await ended(child, run.killMs);
    return { how: cause === undefined ? how : { kind: cause }, errors: errors() };
  } finally {
    clearTimeout(timer);
    clearTimeout(late);
    run.signal.removeEventListener('abort', onAbort);
  }
}

/** Resolves when it has ended and all that it wrote was read. */
async function ended(child: ChildProcess, killMs: number): Promise<CommandEnd['how']> {
  const { promise, resolve } = Promise.withResolvers<CommandEnd['how']>();
  let late: NodeJS.Timeout | undefined;
  child.once('error', (error) => {
    // it could not be killed: it will end, or is left to its fate
    if (child.pid === undefined) resolve({ kind: 'not_started', why: error.message });
  });
  child.once('exit', () => {
    killGroup(child, 'SIGKILL');
    // who has left the group may hold the pipes for ever
    late = setTimeout(() => {
      child.stdout?.destroy();
      child.stderr?.destroy();
    }, killMs);
  });
  child.once('close', (code, signal) => {
    resolve(signal === null ? { kind: 'exited', code: code ?? 0 } : { kind: 'killed', signal });
  });
  const how = await promise;
  clearTimeout(late);
  return how;
}

function killGroup({ pid }: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    // all of it has ended
  }
}

function keepTail(child: ChildProcess): () => string {
  let kept = Buffer.alloc(0);
  child.stderr?.on('data', (chunk: Buffer) => {
    kept = Buffer.concat([kept, chunk]).subarray(-ERRORS_KEPT);
  });
  return () => kept.toString('utf8').trim();
}
