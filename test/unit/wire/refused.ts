import { RelayError, type Reason } from '../../../relay/contract/reasons.ts';

/** The RelayError that `act` throws; nothing else may come out of a decoder. */
function refusal(act: () => unknown): RelayError {
  try {
    act();
  } catch (error) {
    if (error instanceof RelayError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

/** Why `act` is refused. */
export function reasonOf(act: () => unknown): Reason {
  return refusal(act).reason;
}

/** What `act` throws, which has to have this reason. */
export function refused(reason: Reason, act: () => unknown): RelayError {
  const error = refusal(act);
  if (error.reason !== reason) throw new Error(`expected ${reason}, not ${error.reason}: ${error.message}`);
  return error;
}

/** The fields that `act` is refused for, with INVALID_PARAMS. */
export function wrongFields(act: () => unknown): string[] {
  return refused('INVALID_PARAMS', act).violations.map((v) => v.field);
}
