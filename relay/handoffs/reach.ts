import { RelayError } from '../contract/reasons.ts';
import type { Standing } from '../store/ports.ts';
import type { Command } from './command.ts';

/** Consent, where it is decided for good: inside the transaction of the write. */

/** The recipient has not accepted the sender. What the sender is told is for relay/identity/consent.ts to say. */
export class NotKnown extends RelayError {
  override readonly name = 'NotKnown';

  constructor() {
    super('CONTACT_REQUIRED', 'The recipient does not know the sender.');
  }
}

/** Throws NotKnown. @param standing left out where nobody asks for consent */
export function refuseStranger(standing: Standing | undefined): void {
  if (standing === undefined) return;
  if (standing.word !== 'accepted' || standing.isBlocked || standing.hasBlocked) throw new NotKnown();
}

/** CONTACT_DECLINED for anything that a person or an agent would read. What has no words, be it a cancel or a receipt, may still be done. */
export function refuseBlocked(standing: Standing | undefined, commands: readonly Command[]): void {
  if (standing?.isBlocked !== true || !commands.some(hasWords)) return;
  throw new RelayError('CONTACT_DECLINED', 'The other side takes nothing from you. Nothing was stored.');
}

function hasWords(command: Command): boolean {
  switch (command.type) {
    case 'create':
    case 'message':
    case 'artifact':
      return true;
    case 'transition':
      return command.message !== undefined || command.reason !== undefined;
    case 'receipt':
      return false;
  }
}
