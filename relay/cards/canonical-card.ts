import type { AgentCard } from '../contract/a2a.ts';
import { isJsonObject, type Json } from '../contract/json.ts';
import { isArray } from '../wire/json.ts';
import { canonicalJson } from './jcs.ts';

/**
 * What the signatures of a card are made over, as text. There are two readings of A2A 1.0.1 section 8.4.1 in the field, so
 * there are two signatures; a reader needs one that holds.
 */

/** As the specification has it: members without presence are left out where they have their default, the rest is kept. */
export function strictPayload(card: AgentCard): string {
  return canonicalJson(withoutDefaults(card));
}

/** As the official SDKs have it: beyond that, everything is left out that is empty, down to the parameters of extensions. */
export function cleanPayload(card: AgentCard): string {
  return canonicalJson(withoutEmpty(withoutDefaults(card)) ?? {});
}

/** In our cards, `required: false` and an empty `list` are all that has neither presence nor REQUIRED in the proto. */
function withoutDefaults(card: AgentCard): Json {
  const { signatures: _signatures, ...unsigned } = card;
  const form = {
    ...unsigned,
    capabilities: {
      ...card.capabilities,
      extensions: card.capabilities.extensions.map(({ required, ...extension }) =>
        required ? { ...extension, required } : extension,
      ),
    },
    securityRequirements: card.securityRequirements.map(({ schemes }) => ({
      schemes: Object.fromEntries(
        Object.entries(schemes).map(([name, scopes]) => [name, scopes.list.length === 0 ? {} : scopes]),
      ),
    })),
  };
  // plain data, of which the type system knows no index signature
  return JSON.parse(JSON.stringify(form)) as Json;
}

function withoutEmpty(value: Json): Json | undefined {
  if (value === null || value === '') return undefined;
  if (isArray(value)) {
    const kept = value.map(withoutEmpty).filter((element) => element !== undefined);
    return kept.length === 0 ? undefined : kept;
  }
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).flatMap(([name, member]): [string, Json][] => {
    const clean = withoutEmpty(member);
    return clean === undefined ? [] : [[name, clean]];
  });
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
