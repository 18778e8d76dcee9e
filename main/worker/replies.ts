import { RelayError, type Reason } from '../../relay/contract/reasons.ts';
import { persist } from './persist.ts';
import type { RelayWork } from './relay-work.ts';
import { isFinal, updateParams, type Step, type StepOf } from './step.ts';

/** What is known of a run by what it has said. */
export type Verdict =
  /** Its last word has arrived. */
  | { readonly kind: 'answered'; readonly by: Step }
  /** What it says cannot be used, or was refused. */
  | { readonly kind: 'fault'; readonly why: string }
  /** The handoff has moved on without it. */
  | { readonly kind: 'lost'; readonly why: string };

/** The steps of a run on their way to the relay, one after the other. */
export interface Replies {
  /** @param number counts the steps of the run */
  readonly say: (step: Step, number: number) => void;
  /** What the run says cannot be used. */
  readonly refuse: (why: string) => void;
  /** Resolves when all that was said has arrived or never will; undefined where the run can still go either way. */
  verdict(): Promise<Verdict | undefined>;
  /** Aborts when there is no use in going on. */
  readonly useless: AbortSignal;
}

export interface RepliesOptions {
  readonly relay: Pick<RelayWork, 'update'>;
  readonly of: Omit<StepOf, 'number'>;
  /** In [0, 1). */
  readonly random: () => number;
  /** A relay that is away is tried until this aborts. */
  readonly until: AbortSignal;
  /** The last word has arrived. */
  readonly onAnswered: () => void;
}

/** So much a relay takes at once, bytes: one MiB, of which a little is left for what stands around it. */
const MAX_SENT = 1024 * 1024 - 1024;

/** Refusals that say that the handoff has moved on. */
const MOVED_ON: ReadonlySet<Reason> = new Set([
  'LEASE_LOST',
  'HELD_BY_OTHER_SESSION',
  'STATE_CHANGED',
  'UNSUPPORTED_OPERATION',
  'TASK_NOT_FOUND',
  'UNAUTHENTICATED',
]);

export function createReplies({ relay, of, random, until, onAnswered }: RepliesOptions): Replies {
  const useless = new AbortController();
  let verdict: Verdict | undefined;
  let sending = Promise.resolve();

  function settle(what: Verdict): void {
    // what has arrived has arrived, whatever came after it
    verdict = what.kind === 'answered' ? what : (verdict ?? what);
    if (what.kind === 'answered') onAnswered();
    else useless.abort();
  }
  async function send(step: Step, number: number): Promise<void> {
    if (verdict !== undefined) return;
    const params = updateParams(step, { ...of, number });
    const size = Buffer.byteLength(JSON.stringify(params));
    if (size > MAX_SENT) {
      settle({
        kind: 'fault',
        why: `What the command said takes ${size} bytes as JSON, where quotation marks, backslashes and line ends count twice and more; a relay takes ${MAX_SENT} at once.`,
      });
      return;
    }
    try {
      await persist(() => relay.update(params), random, until);
      if (isFinal(step)) settle({ kind: 'answered', by: step });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      // without an answer of the relay, whoever ended the waiting knows why
      if (!(error instanceof RelayError)) return;
      settle(
        MOVED_ON.has(error.reason)
          ? { kind: 'lost', why }
          : { kind: 'fault', why: `What the command said was refused: ${why}` },
      );
    }
  }

  return {
    say(step, number) {
      sending = sending.then(() => send(step, number));
    },
    refuse: (why) => settle({ kind: 'fault', why }),
    async verdict() {
      await sending;
      return verdict;
    },
    useless: useless.signal,
  };
}
