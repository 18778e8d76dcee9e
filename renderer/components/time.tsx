import type { ReactNode } from 'react';
import { clockTime, exactTime, isoTime, longAge, shortAge } from '../words/time.ts';
import { useNow } from './use-now.ts';

const FORMS = { short: shortAge, long: longAge, clock: clockTime };

/** A time in words, exact on hover. `at` is milliseconds since the epoch. */
export function Time({
  at,
  form,
  className,
}: {
  at: number;
  form: keyof typeof FORMS;
  className?: string | undefined;
}): ReactNode {
  const now = useNow();
  return (
    <time className={className} dateTime={isoTime(at)} title={exactTime(at)}>
      {FORMS[form](at, Math.max(now, at))}
    </time>
  );
}
