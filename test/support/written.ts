import type { WriteResult, Written } from '../../relay/contract/desk-api.ts';

/** A write that the relay has. Fails for one that waits in the outbox. */
export function written(result: WriteResult): Written {
  if ('outbox_id' in result) throw new Error(`it waits in the outbox: ${result.reason}`);
  return result;
}
