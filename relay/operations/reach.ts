import type { Committed, Agent, Standing, WordChange } from '../store/ports.ts';
import { formatHandle } from '../contract/handle.ts';
import { RelayError } from '../contract/reasons.ts';
import { NotKnown } from '../handoffs/reach.ts';
import { admission, refusal, type Admission } from '../identity/consent.ts';
import type { Call, RelayContext } from './context.ts';

/** Requests that wait for one agent. A person who has so many decides nothing any more. */
export const MOST_REQUESTS = 1_000;
const ASK_AGAIN_S = 3_600;

/**
 * Commits what begins a handoff, if the recipient lets the sender come. Where it is to be asked first, only `note` is
 * stored, as the request, and the sender is told CONTACT_REQUESTED; CONTACT_DECLINED and CONTACT_REQUIRED store nothing.
 * @param note the first line of what was sent
 * @param commit writes the handoff; called again where that made the two contacts
 */
export async function reach(
  context: Pick<RelayContext, 'contacts' | 'relay'>,
  { principal }: Pick<Call, 'principal'>,
  recipient: Agent,
  note: string,
  commit: () => Promise<Committed>,
): Promise<Committed> {
  try {
    return await commit();
  } catch (error) {
    if (!(error instanceof NotKnown)) throw error;
  }
  const { agent: sender, scopes } = principal;
  const outcome = await context.contacts.change(sender.id, recipient.id, (standing, waiting) => {
    const decided = admission(standing, recipient.contacts, scopes);
    if (decided === 'ask' && waiting >= MOST_REQUESTS) throw full(recipient.name);
    return { value: decided, changes: changesOf(decided, sender, recipient, note, standing) };
  });
  if (outcome !== 'deliver' && outcome !== 'befriend') {
    throw refusal(outcome, formatHandle(recipient.name, context.relay.name));
  }
  return commit();
}

/** Whoever asks to reach somebody is ready to hear from them. */
function changesOf(
  decided: Admission,
  { id: sender }: Agent,
  { id: recipient }: Agent,
  note: string,
  { word }: Standing,
): readonly WordChange[] {
  const own = { agent: sender, about: recipient, word: 'accepted' } as const;
  switch (decided) {
    case 'ask':
      return [own, { agent: recipient, about: sender, word: 'requested', note }];
    case 'befriend':
      return word === 'requested'
        ? [{ agent: recipient, about: sender, word: 'accepted' }]
        : [own, { agent: recipient, about: sender, word: 'accepted' }];
    default:
      return [];
  }
}

function full(recipient: string): RelayError {
  return new RelayError('RATE_LIMITED', `${recipient} has ${MOST_REQUESTS} requests that wait. Ask again later.`, {
    retryAfterS: ASK_AGAIN_S,
  });
}
