import { RelayError } from '../contract/reasons.ts';
import type { Agent } from '../store/ports.ts';
import type { Call } from './context.ts';

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
