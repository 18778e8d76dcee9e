import { assertNever } from '../contract/assert-never.ts';
import type { AgentCard } from '../contract/a2a.ts';
import { formatHandle } from '../contract/handle.ts';
import { isJsonObject, type Json, type JsonObject } from '../contract/json.ts';
import { visibleLine } from '../contract/plain-text.ts';
import { invalidParams } from '../contract/reasons.ts';
import type { Agent } from '../store/ports.ts';
import { encodeCard03 } from '../wire/a2a-0.3/card.ts';
import { readVersion } from '../wire/version.ts';

/**
 * The forms in which a card is served (docs/reference/relay-http.md, Agent Cards):
 * - `1.0` is exact to its schema;
 * - `0.3` is what readers of 0.3, 0.2 and 0.1 know;
 * - `hybrid` has the members of both and ours, for clients that do not say what they are;
 * - `agentrelay` is the hybrid with skills as plain names, as our own texts have them.
 */
export type CardForm = '1.0' | '0.3' | 'hybrid' | 'agentrelay';

/** What of a request decides the form. */
export interface FormRequest {
  /** It came to an `agent.json`, where no client of 1.0 looks. */
  readonly isLegacyPath: boolean;
  /** `A2A-Version`, as a header and in the query; the header wins. */
  readonly header: string | undefined;
  readonly query: string | undefined;
  /** `format` in the query. */
  readonly format: unknown;
  /** Without a version it is 1.0. */
  readonly strict: boolean;
}

/**
 * Decides the form: what is asked for by name, then the address, then the version.
 * @throws RelayError VERSION_NOT_SUPPORTED, or INVALID_PARAMS for another `format`
 */
export function cardForm({ isLegacyPath, header, query, format, strict }: FormRequest): CardForm {
  if (format === 'agentrelay') return 'agentrelay';
  if (format !== undefined) throw invalidParams('format', 'must be "agentrelay", or left out.');
  if (isLegacyPath) return '0.3';
  const version = readVersion(header, query);
  if (version === undefined) return strict ? '1.0' : 'hybrid';
  return version === '1.0' ? '1.0' : '0.3';
}

/** What only our own form says of an agent. */
export interface CardOwner {
  /** The full handle. */
  readonly id: string;
  readonly role?: string;
  readonly repos: readonly string[];
  /** Names. */
  readonly skills: readonly string[];
}

/** The owner of an agent's card. */
export function ownerOf({ name, role, repos, skills }: Agent, relayName: string): CardOwner {
  return { id: formatHandle(name, relayName), ...(role === undefined ? {} : { role }), repos, skills };
}

/** A card, signed and in its 1.0 form, in another one. */
export function cardInForm(card: AgentCard, owner: CardOwner, form: CardForm): object {
  switch (form) {
    case '1.0':
      return card;
    case '0.3':
      return encodeCard03(card);
    case 'hybrid':
      return hybrid(card, owner);
    case 'agentrelay': {
      // a signature is over the skills as they are
      const { signatures: _, ...rest } = hybrid(card, owner);
      return { ...rest, skills: owner.skills.map(visibleLine) };
    }
    default:
      return assertNever(form);
  }
}

/**
 * Where both generations have a member of one name, it holds what each looks for in it. A reader of 1.0 drops what it does
 * not know, so the signatures hold here too. Security schemes keep the `type` of 0.3: without it the SDK of 0.3 takes the
 * card for another and loses its `security`; the price is that the SDK of 1.0, handed this form, does not parse it, but
 * it asks for 1.0 when it fetches one.
 */
function hybrid(card: AgentCard, owner: CardOwner) {
  const old = encodeCard03(card);
  return {
    ...card,
    ...old,
    capabilities: { ...members(old['capabilities']), ...card.capabilities },
    securitySchemes: Object.fromEntries(
      Object.entries(card.securitySchemes).map(([name, scheme]) => [
        name,
        { ...members(members(old['securitySchemes'])[name]), ...scheme },
      ]),
    ),
    id: owner.id,
    endpoint: card.supportedInterfaces[0]?.url,
    auth: { type: 'api_key', in: 'header', name: 'Authorization', scheme: 'Bearer' },
    metadata: {
      ...(owner.role === undefined ? {} : { role: visibleLine(owner.role) }),
      repos_owned: owner.repos.map(visibleLine),
    },
  };
}

function members(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
