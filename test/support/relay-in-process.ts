import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const PROCESS = fileURLToPath(new URL('relay-process.ts', import.meta.url));

/** A relay in a process of its own (relay-process.ts), which can be killed. */
export interface RelayProcess {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly url: string;
  readonly exited: Promise<unknown>;
}

/** Starts one on a data folder, with agents and their keys. It does not outlive the running test. */
export async function startRelayProcess(
  dataDir: string,
  keys: Readonly<Record<string, string>>,
): Promise<RelayProcess> {
  const agents = Object.entries(keys).map(([name, key]) => `${name}=${key}`);
  const child = spawn(process.execPath, [PROCESS, dataDir, ...agents], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exited = once(child, 'exit');
  const { pid } = child;
  for await (const url of createInterface({ input: child.stdout })) {
    if (pid !== undefined) return { child, pid, url, exited };
  }
  throw new Error('the relay did not start');
}
