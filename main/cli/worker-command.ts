import { randomUUID } from 'node:crypto';
import { assertNever } from '../../relay/contract/assert-never.ts';
import { visibleLine } from '../../relay/contract/plain-text.ts';
import { visibleHandle } from '../../relay/contract/visible-handle.ts';
import { endOnSignals } from '../end-on-signals.ts';
import { readPublished } from '../running-app.ts';
import { dataFolder } from '../settings.ts';
import { UsageError } from '../start-error.ts';
import { workerAccount } from '../worker/account.ts';
import type { AttemptEnd } from '../worker/attempt.ts';
import { createRelayWork } from '../worker/relay-work.ts';
import { runWorker, type Report } from '../worker/worker.ts';
import type { Command, Io, Outcome } from './command.ts';
import type { Flags } from './flags.ts';
import { notRunning } from './not-running.ts';

const SECOND_MS = 1000;
/** For the answer to one request, milliseconds. */
const REQUEST_MS = 10_000;
/** How long the relay is asked to wait for work, milliseconds. */
const WAIT_MS = 25_000;
/** How long a command has to end, milliseconds. */
const KILL_MS = 5_000;

/** `agentrelay worker` */
export const worker: Command = {
  operands: [],
  summary: 'Answer handoffs with a command, one by one, until it is stopped',
  flags: {
    exec: { value: 'CMD', help: 'What the shell runs for each handoff, which stands on its stdin as JSON' },
    once: { help: 'Answer one handoff, and end' },
    timeout: { value: 'SECONDS', help: 'How long the command may take; default 600' },
    attempts: { value: 'N', help: 'After so many failed attempts the handoff is failed; default 5' },
    lease: { value: 'SECONDS', help: 'After so long without a sign of this worker another one may go on; default 60' },
    relay: { value: 'URL', help: 'Another relay than that of the app' },
    'key-file': { value: 'FILE', help: 'The key of an agent that is no account of the app; or AGENTRELAY_KEY' },
  },
  async prepare({ flags, as: { as }, machine, readText }) {
    const command = flags.text('exec')?.trim();
    if (!command) throw new UsageError('worker needs --exec and a command.');
    const timeoutMs = (flags.count('timeout', 1, 86_400) ?? 600) * SECOND_MS;
    const attempts = flags.count('attempts', 1, 100) ?? 5;
    const leaseMs = (flags.count('lease', 1, 3600) ?? 60) * SECOND_MS;
    const relayUrl = readUrl(flags);
    const once = flags.isOn('once');
    const keyFile = flags.text('key-file');
    const keyInFile = keyFile === undefined ? undefined : readKey(keyFile, await readText(keyFile));
    // the command has no need of the key
    const { AGENTRELAY_KEY: keyInEnv, ...env } = machine.env;
    const home = dataFolder(flags.text('home'), machine);
    return {
      kind: 'alone',
      async act({ out, error }) {
        if (relayUrl === undefined && typeof (await readPublished(home)) === 'string') throw await notRunning(home);
        const account = await workerAccount({ home, as, relayUrl, key: keyInFile ?? (keyInEnv || undefined) });
        const name = `worker-${randomUUID()}`;
        const terms = { worker: name, ...(as !== undefined && { agent: as }), leaseMs, attempts, waitMs: WAIT_MS };
        const relay = createRelayWork({ ...account, timeoutMs: REQUEST_MS }, terms);
        const stop = endOnSignals();
        // nothing else may be said for long
        error('Waits for handoffs. Ctrl-C ends it.\n');
        await runWorker(
          {
            relay,
            worker: name,
            command,
            env,
            timeoutMs,
            killMs: KILL_MS,
            random: Math.random,
            once,
            report: (report) => tell(report, out, error),
          },
          stop,
        );
      },
    };
  },
};

function readUrl(flags: Flags): string | undefined {
  const given = flags.text('relay');
  if (given === undefined) return undefined;
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new UsageError(`--relay is an address such as http://127.0.0.1:7319, not "${given}".`);
  }
  return given;
}

function readKey(file: string, text: string): string {
  const key = text.trim();
  if (key === '' || /\s/.test(key)) throw new UsageError(`--key-file: ${file} has to hold one key, and nothing else.`);
  return key;
}

function tell(report: Report, out: Io['out'], error: Io['error']): void {
  switch (report.kind) {
    case 'away':
      error(`The relay cannot be reached (${report.why}). Tries again until it can.\n`);
      return;
    case 'back':
      error('The relay can be reached again.\n');
      return;
    case 'finished':
      out(outcomeOf(report));
      return;
    default:
      assertNever(report);
  }
}

function outcomeOf({ work, end, ms }: Extract<Report, { kind: 'finished' }>): Outcome {
  const { task_id: id, sender, summary } = work.view;
  const took = `${(ms / SECOND_MS).toFixed(1)} s`;
  return {
    json: { task_id: id, sender, attempt: work.attempt, ...endJson(end), ms },
    text: `${id}  from ${visibleHandle(sender)}  ${took}  ${endText(end)}  ${visibleLine(summary)}`,
  };
}

function endText(end: AttemptEnd): string {
  switch (end.outcome) {
    case 'completed':
    case 'stopped':
      return end.outcome;
    case 'asked':
      return 'asked back';
    case 'failed':
      return `failed: ${visibleLine(end.reason)}`;
    case 'retry':
      return `to be tried again in ${Math.ceil(end.retryInMs / SECOND_MS)} s: ${visibleLine(end.reason)}`;
    case 'lost':
      return `lost: ${visibleLine(end.reason)}`;
    default:
      return assertNever(end);
  }
}

function endJson(end: AttemptEnd): object {
  if (end.outcome !== 'retry') return end;
  const { retryInMs, ...rest } = end;
  return { ...rest, retry_in_ms: retryInMs };
}
