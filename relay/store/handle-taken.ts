import { RelayError } from '../contract/reasons.ts';

/** HANDLE_TAKEN. @param wasRemoved whether it is kept for an agent that is no longer there */
export function handleTaken(name: string, wasRemoved: boolean): RelayError {
  return wasRemoved
    ? new RelayError(
        'HANDLE_TAKEN',
        `${name} was removed from this relay, and its name is kept for it. Choose another name, or have the relay's admin restore it.`,
        { metadata: { handle: name, cause: 'REMOVED' } },
      )
    : new RelayError('HANDLE_TAKEN', `${name} is registered already. Choose another name.`, {
        metadata: { handle: name },
      });
}
