import { assertNever } from '../contract/assert-never.ts';
import type { ContactMode } from '../contract/contact.ts';
import { RelayError } from '../contract/reasons.ts';
import type { Scopes, Standing } from '../store/ports.ts';

/** Who may write to whom is decided here and in no other place: pure, by what the two have said of one another. */

/** What becomes of something that one agent wants to send another. */
export type Admission =
  | 'deliver'
  /** The recipient is to be asked. */
  | 'ask'
  /** It takes everybody: the two become contacts. */
  | 'befriend'
  /** It was asked, and has not said. */
  | 'wait'
  /** It has said no, or takes nobody, or has blocked the sender: which of these, the sender is not told. */
  | 'declined'
  /** The sender may ask nobody. */
  | 'may_not_ask'
  /** The sender has blocked the recipient itself. */
  | 'blocked_by_sender';

/**
 * @param standing between the two, as the recipient has it
 * @param mode of the recipient
 * @param scopes of the key that the sender came with
 */
export function admission(standing: Standing, mode: ContactMode, scopes: Scopes): Admission {
  if (standing.isBlocked) return 'declined';
  if (standing.hasBlocked) return 'blocked_by_sender';
  switch (standing.word) {
    case 'accepted':
      return 'deliver';
    case 'declined':
      return 'declined';
    case 'requested':
      return mode === 'auto' ? 'befriend' : 'wait';
    case undefined:
      return ofStranger(mode, scopes);
    default:
      return assertNever(standing.word);
  }
}

function ofStranger(mode: ContactMode, scopes: Scopes): Admission {
  if (!scopes.includes('contacts')) return 'may_not_ask';
  switch (mode) {
    case 'auto':
      return 'befriend';
    case 'ask':
      return 'ask';
    case 'closed':
      return 'declined';
    default:
      return assertNever(mode);
  }
}

/**
 * What a sender is told who was not let in.
 * @param recipient its handle
 */
export function refusal(admission: Exclude<Admission, 'deliver' | 'befriend'>, recipient: string): RelayError {
  const metadata = { recipient };
  switch (admission) {
    case 'ask':
    case 'wait':
      return new RelayError(
        'CONTACT_REQUESTED',
        `${recipient} has to accept you as a contact first. Your first line was passed on as the request; nothing else was stored. Send this again once you are accepted.`,
        { metadata },
      );
    case 'declined':
      return new RelayError('CONTACT_DECLINED', `${recipient} takes nothing from you. Nothing was stored.`, {
        metadata,
      });
    case 'may_not_ask':
      return new RelayError(
        'CONTACT_REQUIRED',
        `${recipient} is no contact, and this key may not ask to become one (it lacks the scope "contacts"). Nothing was stored.`,
        { metadata: { ...metadata, cause: 'SCOPE' } },
      );
    case 'blocked_by_sender':
      return new RelayError(
        'CONTACT_REQUIRED',
        `You have blocked ${recipient}, which could not answer. Unblock it first. Nothing was stored.`,
        { metadata: { ...metadata, cause: 'BLOCKED' } },
      );
    default:
      return assertNever(admission);
  }
}
