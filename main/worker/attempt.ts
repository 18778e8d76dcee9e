import { assertNever } from '../../relay/contract/assert-never.ts';
import type { Released } from '../../relay/contract/lease.ts';
import type { Work } from './document.ts';
import { keepLease } from './keep-lease.ts';
import { readOutput } from './output.ts';
import { persist } from './persist.ts';
import type { RelayWork } from './relay-work.ts';
import { createReplies, type Verdict } from './replies.ts';
import { runCommand, type CommandEnd } from './run-command.ts';

export interface AttemptOptions {
  readonly relay: Pick<RelayWork, 'renew' | 'release' | 'update'>;
  readonly worker: string;
  /** A line for the system's shell. */
  readonly command: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How long the command may take, and how long it has to end once it was asked to; milliseconds. */
  readonly timeoutMs: number;
  readonly killMs: number;
  /** In [0, 1). */
  readonly random: () => number;
}

/** What came of a handoff. */
export type AttemptEnd =
  | { readonly outcome: 'completed' | 'asked' | 'stopped' }
  /** For good: by the command's own word, or because all attempts are spent. */
  | { readonly outcome: 'failed'; readonly reason: string }
  | { readonly outcome: 'retry'; readonly reason: string; readonly retryInMs: number }
  /** It is somebody else's by now, or closed; or the relay was away for too long. */
  | { readonly outcome: 'lost'; readonly reason: string };

/** The most that a command may write to stdout, bytes. What is sent of it at once is measured again, in its own form. */
const MAX_OUTPUT = 1024 * 1024;
/** The most of stderr that is told as a reason, characters. */
const MAX_ERRORS = 500;

/**
 * Runs the command on a handoff that is leased, and answers with what it says, as it comes. Never rejects: whatever goes
 * wrong is an outcome.
 * @param stop ends the command; the handoff goes back, and the attempt does not count
 */
export async function attempt(work: Work, options: AttemptOptions, stop: AbortSignal): Promise<AttemptEnd> {
  const { relay, worker, command, env, timeoutMs, killMs, random } = options;
  const { lease, view } = work;
  const taskId = view.task_id;
  const kept = keepLease({ renew: () => relay.renew(taskId), leaseMs: work.leaseMs, random });
  const until = AbortSignal.any([kept.lost, stop]);
  const of = { taskId, worker, lease, round: lease - work.attempt + 1 };
  const replies = createReplies({ relay, of, random, until, onAnswered: kept.end });
  const release = async (outcome: 'failed' | 'stopped', reason?: string): Promise<AttemptEnd> => {
    try {
      const released = await persist(() => relay.release(taskId, outcome, reason), random, until);
      return reason === undefined ? { outcome: 'stopped' } : failed(released, reason);
    } catch (error) {
      return { outcome: 'lost', reason: error instanceof Error ? error.message : String(error) };
    }
  };
  try {
    const output = readOutput(MAX_OUTPUT, replies.say, replies.refuse);
    const { how, errors } = await runCommand({
      command,
      input: work.document,
      env: { ...env, ...variables(work) },
      timeoutMs,
      killMs,
      onOutput: output.take,
      signal: AbortSignal.any([until, replies.useless]),
    });
    const said = output.end();
    if (how.kind === 'exited' && how.code === 0) {
      const summary = said.kind === 'text' && said.text !== '' ? { summary: said.text } : {};
      // after a last word of its own it is not heard
      replies.say({ type: 'complete', ...summary }, 0);
    }
    const verdict = await replies.verdict();
    if (verdict !== undefined && verdict.kind !== 'fault') return endBy(verdict);
    if (kept.lost.aborted) return { outcome: 'lost', reason: String(kept.lost.reason) };
    if (verdict !== undefined) return await release('failed', verdict.why);
    return stop.aborted ? await release('stopped') : await release('failed', reasonOf(how, errors, timeoutMs));
  } finally {
    kept.end();
  }
}

function endBy(verdict: Exclude<Verdict, { kind: 'fault' }>): AttemptEnd {
  if (verdict.kind === 'lost') return { outcome: 'lost', reason: verdict.why };
  const { by } = verdict;
  if (by.type === 'fail') return { outcome: 'failed', reason: by.reason };
  return { outcome: by.type === 'question' ? 'asked' : 'completed' };
}

function failed({ retry_in_ms: retryInMs }: Released, reason: string): AttemptEnd {
  return retryInMs === undefined ? { outcome: 'failed', reason } : { outcome: 'retry', reason, retryInMs };
}

/** What a command is told beside its stdin: nothing that a peer has written. */
function variables({ view, attempt: number }: Work): Record<string, string> {
  return {
    AGENTRELAY_TASK_ID: view.task_id,
    AGENTRELAY_SENDER: view.sender,
    AGENTRELAY_RECIPIENT: view.recipient,
    AGENTRELAY_ATTEMPT: String(number),
  };
}

/** Why an attempt failed, for the sender to read. */
function reasonOf(how: CommandEnd['how'], errors: string, timeoutMs: number): string {
  const last = errors.slice(-MAX_ERRORS).toWellFormed().trim();
  const said = last === '' ? '' : ` It said: ${last}`;
  switch (how.kind) {
    case 'exited':
      return `The command ended with exit code ${how.code}.${said}`;
    case 'killed':
      return `The command was ended by ${how.signal}.${said}`;
    case 'timed_out':
      return `The command took longer than ${timeoutMs / 1000} s.${said}`;
    case 'not_started':
      return `The command could not be started: ${how.why}.`;
    case 'ended':
      return 'The command was ended.';
    default:
      return assertNever(how);
  }
}
