import { RelayError } from '../contract/reasons.ts';

/** What a decoder throws for methods that are known, and that this relay does not serve. */

export function refusePush(): never {
  throw new RelayError(
    'PUSH_NOTIFICATION_NOT_SUPPORTED',
    'This relay sends no push notifications. Stream, or poll for the task.',
  );
}

/** A2A 1.0.1 section 3.3.4 where the card promises none; clients of 0.3 know only that there is none. */
export function refuseExtendedCard(
  reason: 'UNSUPPORTED_OPERATION' | 'EXTENDED_AGENT_CARD_NOT_CONFIGURED' = 'UNSUPPORTED_OPERATION',
): never {
  throw new RelayError(
    reason,
    'There is no extended Agent Card. The public card holds everything; its address ends in /.well-known/agent-card.json.',
  );
}
