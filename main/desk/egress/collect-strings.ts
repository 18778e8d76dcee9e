import type { CommandInput } from '../../../relay/contract/desk-api.ts';
import type { Passage } from './finding.ts';

/** What a desk sends to a peer. */
export type Outgoing = CommandInput<'sendHandoff'> | CommandInput<'sendMessage'> | CommandInput<'updateHandoff'>;

/**
 * Every string of what is to be sent, whatever member it is in, known or not: `body`, `artifacts[0].diff`,
 * `proposed_action.target_files[1]`. The names of members too (`name of artifacts[0].{3}`): they leave as well.
 */
export function collectStrings(outgoing: Outgoing): readonly Passage[] {
  return [...stringsIn(outgoing, '')];
}

function* stringsIn(value: unknown, where: string): Generator<Passage> {
  if (typeof value === 'string') {
    yield { where, text: value };
  } else if (Array.isArray(value)) {
    for (const [at, one] of value.entries()) yield* stringsIn(one, `${where}[${at}]`);
  } else if (typeof value === 'object' && value !== null) {
    for (const [at, [name, one]] of Object.entries(value).entries()) {
      // a name may be what is looked for: only one that is plain is written down
      const shown = /^[a-z_]{1,32}$/.test(name) ? name : `{${at}}`;
      const member = where === '' ? shown : `${where}.${shown}`;
      yield { where: `name of ${member}`, text: name };
      yield* stringsIn(one, member);
    }
  }
}
