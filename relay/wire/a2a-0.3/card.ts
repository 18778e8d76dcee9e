import type { AgentCard } from '../../contract/a2a.ts';
import type { JsonObject } from '../../contract/json.ts';
import { compact } from '../fields.ts';

/**
 * A card in the form of A2A 0.3 (specification 0.3.0 section 5.5), which readers of 0.2 take as well; `authentication` is
 * what 0.1 had in the place of security schemes. Only the interfaces at which 0.3 is spoken are named. Signatures are left
 * out: what they were made over is the card in its 1.0 form.
 */
export function encodeCard03(card: AgentCard): JsonObject {
  const interfaces = card.supportedInterfaces
    .filter(({ protocolVersion }) => protocolVersion === '0.3')
    .map(({ url, protocolBinding }) => ({ url, transport: protocolBinding }));
  const { streaming, pushNotifications, extendedAgentCard, extensions } = card.capabilities;
  const schemes = Object.entries(card.securitySchemes);
  return compact<JsonObject>({
    protocolVersion: '0.3.0',
    name: card.name,
    description: card.description,
    version: card.version,
    url: interfaces[0]?.url ?? '',
    preferredTransport: interfaces[0]?.transport ?? 'JSONRPC',
    additionalInterfaces: interfaces,
    provider: card.provider,
    iconUrl: card.iconUrl,
    documentationUrl: card.documentationUrl,
    capabilities: {
      streaming,
      pushNotifications,
      stateTransitionHistory: false,
      extensions: extensions.map((extension) => compact<JsonObject>({ ...extension })),
    },
    supportsAuthenticatedExtendedCard: extendedAgentCard,
    securitySchemes: Object.fromEntries(
      schemes.map(
        ([
          name,
          {
            httpAuthSecurityScheme: { scheme, description },
          },
        ]) => [name, { type: 'http', scheme: scheme.toLowerCase(), description }],
      ),
    ),
    security: card.securityRequirements.map((requirement) =>
      Object.fromEntries(Object.entries(requirement.schemes).map(([name, { list }]) => [name, list])),
    ),
    authentication: { schemes: schemes.map(([, { httpAuthSecurityScheme }]) => httpAuthSecurityScheme.scheme) },
    defaultInputModes: card.defaultInputModes,
    defaultOutputModes: card.defaultOutputModes,
    skills: card.skills.map((skill) => compact<JsonObject>({ ...skill })),
  });
}
