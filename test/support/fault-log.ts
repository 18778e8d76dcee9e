import type { RelayOptions } from '../../relay/server.ts';

type Logger = NonNullable<RelayOptions['logger']>;

/** A logger that keeps what a relay calls an error, and nothing else. */
export function faultLog(): { readonly logger: Logger; readonly faults: readonly unknown[] } {
  const faults: unknown[] = [];
  const keep = (...said: unknown[]): void => void faults.push(said);
  const drop = (): void => undefined;
  const logger: Logger = {
    level: 'error',
    fatal: keep,
    error: keep,
    warn: drop,
    info: drop,
    debug: drop,
    trace: drop,
    silent: drop,
    child: () => logger,
  };
  return { logger, faults };
}
