import { assertNever } from '../../relay/contract/assert-never.ts';
import type { Account } from '../../relay/contract/desk-api.ts';
import type { Decision } from '../../relay/contract/trust.ts';
import type { Connection } from '../desk-client.ts';
import { relayName } from '../state/item.ts';
import { clockTime } from './time.ts';
import { unusableWords } from './trust.ts';

/** How the window's account stands with its relay, in a line that is never long: why is for the banner. */
export function accountWords(connection: Connection, { state, since }: Account, now: number, zone?: string): string {
  if (connection.state !== 'open') return 'No answer';
  switch (state) {
    case 'connected':
      return 'Connected';
    case 'connecting':
      return 'Connecting';
    case 'offline':
      return `Offline since ${clockTime(since, now, zone)}`;
    case 'key_revoked':
      return 'Key revoked';
    default:
      return assertNever(state);
  }
}

/** What is wrong with the way to the handoffs, or with our own rules, and what to do. */
export interface Trouble {
  readonly kind: 'connection' | 'rules';
  readonly what: string;
  readonly advice: string;
}

/** What a banner looks at. */
interface TroubleSources {
  readonly connection: Connection;
  readonly accounts: readonly Account[];
  /** What the rules say of anybody, if there is anybody. */
  readonly trust: Decision | undefined;
}

/** What a banner has to say: nearest first, for a desk that is silent makes what it said of its relays old. */
export function troubleOf(
  { connection, accounts, trust }: TroubleSources,
  now: number,
  zone?: string,
): Trouble | undefined {
  if (connection.state === 'lost') {
    return {
      kind: 'connection',
      what: `AgentRelay has not answered since ${clockTime(connection.since, now, zone)}.`,
      advice: 'What you see may be old. If it was stopped, start it again and use the link that it prints.',
    };
  }
  const off = accounts.find(({ state }) => state === 'offline' || state === 'key_revoked');
  if (off === undefined) return trust?.layer === 'unusable' ? rulesTrouble(trust) : undefined;
  const why = off.detail === undefined ? '' : ` (${off.detail})`;
  return off.state === 'key_revoked'
    ? {
        kind: 'connection',
        what: `${relayName(off)} no longer takes the key of ${off.handle}${why}.`,
        advice: 'You can read what is here. Ask whoever runs that relay for a new key.',
      }
    : {
        kind: 'connection',
        what: `${relayName(off)} has not answered since ${clockTime(off.since, now, zone)}${why}.`,
        advice: 'You can read what is here; what you write can go out when it answers again.',
      };
}

function rulesTrouble({ rule }: Decision): Trouble {
  return {
    kind: 'rules',
    what: `${unusableWords(rule)}.`,
    advice: 'Mend the file, and everything goes on by its rules.',
  };
}
