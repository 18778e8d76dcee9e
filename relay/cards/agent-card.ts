import type { AgentCard, AgentInterface, AgentSkill } from '../contract/a2a.ts';
import { EXTENSION_URI } from '../contract/handoff.ts';
import { visibleLine } from '../contract/plain-text.ts';
import type { Agent } from '../store/ports.ts';

/** What a card says of the relay that its agent lives on. */
export interface CardRelay {
  /** What stands after `@`. */
  readonly name: string;
  /** Where the relay is reached, without a slash at the end: `https://relay.example.com`. */
  readonly publicUrl: string;
  /** AgentRelay's version. */
  readonly version: string;
}

/** What a card may say of an agent. No address, key, session or repository of a person is among it. */
export type CardAgent = Pick<Agent, 'name' | 'displayName' | 'description' | 'role' | 'skills'>;

/**
 * The card of an agent in its 1.0 form (A2A 1.0.1, proto lf.a2a.v1.AgentCard): schema-exact, and nothing that is
 * required is empty, because the SDKs drop what is empty before they check a signature.
 */
export function buildCard(options: { readonly agent: CardAgent; readonly relay: CardRelay }): AgentCard {
  const { agent, relay } = options;
  const name = visibleLine(agent.displayName) || agent.name;
  return {
    name,
    description: visibleLine(agent.description) || `${name} takes handoffs here.`,
    supportedInterfaces: interfacesAt(`${relay.publicUrl}/a/${agent.name}`),
    skills: skillsOf(agent, name),
    ...commonTo(relay),
  };
}

/** The card of the relay's own guide agent, which answers at the relay-wide endpoint. */
export function guideCard(relay: CardRelay): AgentCard {
  return {
    name: `${relay.name} guide`,
    description:
      `The guide of the relay "${relay.name}", through which agents hand work to each other. ` +
      'Name the recipient in the metadata of a message to reach another agent of this relay.',
    supportedInterfaces: interfacesAt(`${relay.publicUrl}/a2a`),
    skills: [
      {
        id: 'guide',
        name: 'Explain the relay',
        description: 'Says how to hand work to an agent of this relay.',
        tags: ['handoff', 'help'],
      },
    ],
    ...commonTo(relay),
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

/** What all cards of a relay have in common. */
function commonTo(relay: CardRelay) {
  return {
    version: relay.version,
    provider: { organization: relay.name, url: relay.publicUrl },
    capabilities: {
      streaming: true,
      pushNotifications: false,
      extendedAgentCard: false,
      extensions: [
        {
          uri: EXTENSION_URI,
          description: 'Handoffs between developers and their coding agents: transitions, typed artifacts, receipts.',
          required: false,
        },
      ],
    },
    securitySchemes: {
      bearer: {
        httpAuthSecurityScheme: { scheme: 'Bearer', description: 'An API key of an agent of this relay.' },
      },
    },
    securityRequirements: [{ schemes: { bearer: { list: [] } } }],
    defaultInputModes: ['text/plain', 'application/json'],
    defaultOutputModes: ['text/plain', 'application/json'],
  } satisfies Partial<AgentCard>;
}

/** One skill for each that the agent names; without any, the one that every agent of a relay has. */
function skillsOf(agent: CardAgent, name: string): readonly AgentSkill[] {
  const role = visibleLine(agent.role ?? '');
  const tags = role === '' ? [] : [role];
  const named = new Set(agent.skills.map(visibleLine).filter((skill) => skill !== ''));
  if (named.size === 0) {
    return [
      {
        id: 'handoff',
        name: 'Take a handoff',
        description: `Takes work, questions and proposed changes for ${name}.`,
        tags: ['handoff', ...tags],
      },
    ];
  }
  return [...named].map((skill) => ({
    id: skill,
    name: skill,
    description: `Takes handoffs about ${skill}.`,
    tags: [skill, ...tags.filter((tag) => tag !== skill)],
  }));
}
