import { formatHandle, parseHandle } from '../../relay/contract/handle.ts';
import { invalidParams } from '../../relay/contract/reasons.ts';

/**
 * The full form of a handle as a person gave it; without a relay it is meant on `relay`.
 * @param relay the name of the account's relay
 */
export function fullHandle(text: string, relay: string): string {
  const handle = parseHandle(text);
  if (handle === undefined) throw invalidParams('handle', `${text} is not a handle. Give name or name@relay.`);
  return formatHandle(handle.name, handle.relay ?? relay);
}

/** The name of the relay in a full handle; it is what others without a relay are completed with. */
export function relayName(handle: string): string {
  return parseHandle(handle)?.relay ?? '';
}
