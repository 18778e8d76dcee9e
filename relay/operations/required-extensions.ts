import type { Party } from '../contract/handoff.ts';
import { RelayError } from '../contract/reasons.ts';
import type { Agent, Handoff } from '../store/ports.ts';
import type { Call, RelayContext } from './context.ts';

/**
 * Refuses a message to an agent that requires an extension of which the caller does not say that it knows it (A2A 1.0.1
 * section 3.3.4). Ours is never among them.
 * @throws RelayError EXTENSION_SUPPORT_REQUIRED; `metadata.extensions` names them, with commas between
 */
export function requireExtensions({ profile }: Agent, { extensions }: Pick<Call, 'extensions'>): void {
  const missing = (profile?.extensions ?? [])
    .filter(({ uri, required }) => required && extensions?.has(uri) !== true)
    .map(({ uri }) => uri)
    .join(',');
  if (missing === '') return;
  throw new RelayError(
    'EXTENSION_SUPPORT_REQUIRED',
    `This agent takes messages only from clients that know an extension of its own. If yours does, send the header "A2A-Extensions: ${missing}"; its card describes it.`,
    { metadata: { extensions: missing } },
  );
}

/** The same for a message on a handoff that is there already: its sender's go to its recipient, and are refused as the first. */
export async function requireRecipientsExtensions(
  { directory }: Pick<RelayContext, 'directory'>,
  call: Pick<Call, 'extensions'>,
  handoff: Pick<Handoff, 'recipient'>,
  party: Party,
): Promise<void> {
  const recipient = party === 'sender' ? await directory.agentById(handoff.recipient) : undefined;
  if (recipient !== undefined) requireExtensions(recipient, call);
}
