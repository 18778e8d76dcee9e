import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { formatHandle } from '../contract/handle.ts';
import { RelayError } from '../contract/reasons.ts';
import { registrationFields, type RegisteredView } from '../contract/registration.ts';
import type { Registered } from '../identity/registry.ts';
import { refuseWhenStopping } from './connection.ts';
import type { HttpDeps, RegistrationMode } from './deps.ts';
import { readJsonBody, showOnce } from './plumbing.ts';
import type { Limiters } from './rate-limits.ts';
import { read } from './read.ts';

/** What registers an agent over HTTP. Fields that we do not know are other relays', and left alone. */
export const registrationBody = z.object({
  ...registrationFields,
  // `agent` is what other relays call it
  kind: z
    .enum(['desk', 'a2a', 'agent'])
    .transform((kind) => (kind === 'agent' ? 'a2a' : kind))
    .exactOptional(),
});

const REFUSALS: Readonly<Record<Exclude<RegistrationMode, 'open'>, string>> = {
  closed: 'This relay takes no registrations from outside. Ask its owner to run "agentrelay register".',
  invite:
    'This relay registers those whom it has invited. Ask its owner for an invite, or to run "agentrelay register".',
};

/** `POST /v1/register`: an agent registers itself, where the relay lets it. */
export function registrationRoute(
  app: FastifyInstance,
  deps: HttpDeps,
  limiters: Pick<Limiters, 'registration'>,
): void {
  app.post('/v1/register', { onRequest: async (request) => limiters.registration(request) }, async (request, reply) => {
    refuseWhenStopping(deps);
    if (deps.registration !== 'open') {
      throw refuseRegistrations(deps.registration);
    }
    const registration = read(registrationBody, readJsonBody(request));
    showOnce(reply);
    return registeredView(deps, await deps.registry.register(registrationOf(registration)));
  });
}

/** REGISTRATION_CLOSED, with what would help. */
export function refuseRegistrations(mode: Exclude<RegistrationMode, 'open'>): RelayError {
  return new RelayError('REGISTRATION_CLOSED', REFUSALS[mode], { metadata: { registration: mode } });
}

/** What was said of an agent, as the registry wants it. */
export function registrationOf<T extends Partial<z.infer<typeof registrationBody>>>({ name, ...others }: T) {
  return { ...others, ...(name !== undefined && { displayName: name }) };
}

/** The answer to a registration. */
export function registeredView({ context, publicUrl }: HttpDeps, { agent, apiKey }: Registered): RegisteredView {
  const endpoint = `${publicUrl()}/a/${agent.name}`;
  return {
    handle: formatHandle(agent.name, context.relay.name),
    endpoint,
    card_url: `${endpoint}/agent-card.json`,
    api_key: apiKey,
  };
}
