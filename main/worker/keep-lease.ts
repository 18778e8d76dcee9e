import { RelayError } from '../../relay/contract/reasons.ts';
import { pause } from '../pause.ts';
import { persist } from './persist.ts';

/** A lease that is kept while work goes on. */
export interface KeptLease {
  /** Aborts when the lease is lost; its reason says how, as a sentence. */
  readonly lost: AbortSignal;
  /** Renews it no further. */
  end(): void;
}

export interface KeepLeaseOptions {
  readonly renew: () => Promise<void>;
  readonly leaseMs: number;
  /** In [0, 1). */
  readonly random: () => number;
}

/**
 * Renews a lease at each third of its time. It is lost when the relay says so, and when its time has passed without word of the
 * relay: then another worker may have it.
 */
export function keepLease({ renew, leaseMs, random }: KeepLeaseOptions): KeptLease {
  const lost = new AbortController();
  const over = new AbortController();
  let deadline: NodeJS.Timeout | undefined;

  function lose(why: string): void {
    if (!over.signal.aborted) lost.abort(why);
    end();
  }
  function end(): void {
    clearTimeout(deadline);
    over.abort();
  }
  /** @param from when the relay was asked, which is before it counted */
  function count(from: number): void {
    clearTimeout(deadline);
    if (over.signal.aborted) return;
    const left = leaseMs - (performance.now() - from);
    deadline = setTimeout(lose, left, 'The relay could not be reached before the lease was over.');
  }
  async function keep(): Promise<void> {
    for (;;) {
      await pause(leaseMs / 3, over.signal);
      if (over.signal.aborted) return;
      let asked = performance.now();
      await persist(
        () => {
          asked = performance.now();
          return renew();
        },
        random,
        over.signal,
      );
      count(asked);
    }
  }

  count(performance.now());
  keep().catch((error: unknown) => lose(error instanceof RelayError ? error.message : String(error)));
  return { lost: lost.signal, end };
}
