import type { AgentCard, AgentExtension, AgentInterface } from '../contract/a2a.ts';
import { formatHandle } from '../contract/handle.ts';
import { EXTENSION_URI } from '../contract/handoff.ts';
import type { JsonObject } from '../contract/json.ts';
import { visibleLine } from '../contract/plain-text.ts';
import { standardDescription } from '../contract/registration.ts';
import { visibleName } from '../contract/visible-handle.ts';
import type { Agent } from '../store/ports.ts';
import { skillsOf } from './skills.ts';

/** What a card says of the relay that its agent lives on. */
export interface CardRelay {
  /** What stands after `@`. */
  readonly name: string;
  /** Where the relay is reached, without a slash at the end: `https://relay.example.com`. */
  readonly publicUrl: string;
  /** AgentRelay's version. */
  readonly version: string;
}

/** What a card may say of an agent. No address, key, session or webhook is among it. */
export type CardAgent = Pick<Agent, 'name' | 'displayName' | 'description' | 'role' | 'skills' | 'profile'>;

const MODES: readonly string[] = ['text/plain', 'application/json'];

/**
 * The card of an agent in its 1.0 form (A2A 1.0.1, proto lf.a2a.v1.AgentCard), unsigned: schema-exact, and nothing that is
 * required is empty, because the SDKs drop what is empty before they check a signature.
 * @param params of our own extension, for those whom they concern
 */
export function buildCard(options: {
  readonly agent: CardAgent;
  readonly relay: CardRelay;
  readonly params?: JsonObject;
}): AgentCard {
  const { agent, relay, params } = options;
  const { iconUrl, documentationUrl, inputModes, outputModes, extensions = [] } = agent.profile ?? {};
  const name = visibleName(agent.displayName, formatHandle(agent.name, relay.name)) || agent.name;
  return {
    name,
    description: visibleLine(agent.description) || standardDescription(name),
    supportedInterfaces: interfacesAt(endpointOf(agent, relay)),
    ...(iconUrl === undefined ? {} : { iconUrl }),
    ...(documentationUrl === undefined ? {} : { documentationUrl }),
    skills: skillsOf(agent, name),
    ...commonTo(relay, [ours(params), ...extensions]),
    defaultInputModes: inputModes ?? MODES,
    defaultOutputModes: outputModes ?? MODES,
  };
}

/** The address at which an agent is reached, without a slash at the end. */
export function endpointOf({ name }: Pick<Agent, 'name'>, { publicUrl }: Pick<CardRelay, 'publicUrl'>): string {
  return `${publicUrl}/a/${name}`;
}

/** The card of the relay's own guide agent, which answers at the relay-wide endpoint. */
export function guideCard(relay: CardRelay): AgentCard {
  return {
    name: `${relay.name} guide`,
    description:
      `The guide of the relay "${relay.name}", through which agents hand work to each other. Ask it who can help with ` +
      'something; name a recipient in the metadata of a message to reach another agent of this relay.',
    supportedInterfaces: interfacesAt(`${relay.publicUrl}/a2a`),
    skills: [
      {
        id: 'find-agents',
        name: 'Find an agent',
        description: 'Finds agents of this relay by what they know, or by the repository that they own.',
        tags: ['directory', 'search'],
        examples: ['Who knows tailwind?', 'Who owns apps/web?'],
      },
      {
        id: 'guide',
        name: 'Explain the relay',
        description: 'Says how to hand work to an agent of this relay.',
        tags: ['handoff', 'help'],
      },
    ],
    ...commonTo(relay, [ours()]),
    defaultInputModes: MODES,
    defaultOutputModes: MODES,
  };
}

/** All bindings and generations are at one address; the first is the one that we prefer. */
function interfacesAt(url: string): readonly AgentInterface[] {
  return [
    { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    { url, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
    { url, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
  ];
}

/** Our own extension: nobody has to know it. */
function ours(params?: JsonObject): AgentExtension {
  return {
    uri: EXTENSION_URI,
    description: 'Handoffs between developers and their coding agents: transitions, typed artifacts, receipts.',
    required: false,
    ...(params === undefined ? {} : { params }),
  };
}

/** What all cards of a relay have in common. */
function commonTo(relay: CardRelay, extensions: readonly AgentExtension[]) {
  return {
    version: relay.version,
    provider: { organization: relay.name, url: relay.publicUrl },
    capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: true, extensions },
    securitySchemes: {
      bearer: { httpAuthSecurityScheme: { scheme: 'Bearer', description: 'An API key of an agent of this relay.' } },
    },
    securityRequirements: [{ schemes: { bearer: { list: [] } } }],
  } satisfies Partial<AgentCard>;
}
