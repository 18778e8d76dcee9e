import { met, notOurs, type Chapter } from './requirement.ts';

const NEVER_ASKS =
  'The relay never asks for authorization within a task: no handoff is ever in `TASK_STATE_AUTH_REQUIRED`.';

export const AUTHENTICATION: Chapter = {
  title: '7, Authentication and authorization',
  requirements: [
    notOurs(
      '7-1',
      'SHOULD',
      'What clients do: check the server’s certificate, and look after tasks that need authorization.',
      'It binds clients.',
    ),
    met(
      '7.1-1',
      'MUST',
      'In production, everything is encrypted.',
      '`agentrelay serve` listens beyond its own machine only with a certificate, behind a proxy that has one, or with `--insecure`.',
    ),
    met('7.1-2', 'SHOULD', 'TLS is modern.', '1.2 and 1.3, as Node has it.'),
    met(
      '7.4-1',
      'MUST',
      'Every request is authenticated.',
      'Cards and health are public. The open profile, for compatibility kits on the same machine, has a guest.',
    ),
    met('7.4-2', 'SHOULD', 'Refusals have the binding’s own codes.', 'HTTP 401 over both.'),
    met('7.4-3', 'SHOULD', 'They have a challenge.', '`WWW-Authenticate: Bearer`.'),
    notOurs(
      '7.6.1-1',
      'MUST',
      'An agent that needs authorization says so by a task, its state and a message, and gets it out of band.',
      NEVER_ASKS,
    ),
    notOurs('7.6.1-2', 'SHOULD', 'Meanwhile streams stay open and messages are taken.', NEVER_ASKS),
    notOurs('7.6.3-1', 'SHOULD', 'Credentials come over a secure channel, for the one agent alone.', NEVER_ASKS),
    notOurs(
      '7.6.4-1',
      'MUST NOT',
      'The state alone authorizes nothing, neither now nor for later messages.',
      NEVER_ASKS,
    ),
  ],
};

export const AGENT_CARD: Chapter = {
  title: '8, The Agent Card',
  requirements: [
    notOurs(
      '8-1',
      'MUST',
      'What clients do: choose an interface in order, repeat its tenant, verify signatures by keys that are good.',
      'It binds clients.',
    ),
    met('8.1-1', 'MUST', 'There is a card.', 'One for every agent, and one for the relay’s own guide.'),
    met('8.3-1', 'MUST', 'The card says which protocols are spoken.'),
    met('8.3.1-1', 'SHOULD', 'It has all combinations, the preferred one first.'),
    met('8.3.1-2', 'MUST', 'Each interface has the right binding, version and address.'),
    met(
      '8.4.1-1',
      'MUST',
      'What is signed is canonical JSON (RFC 8785).',
      'There are two readings in the field of what is left out, and a signature over each.',
    ),
    met('8.4.1-2', 'MUST', 'Optional members that were not set are left out of it.'),
    met('8.4.1-3', 'MUST', 'Those that were set are in it, also with their default.'),
    met('8.4.1-4', 'MUST', 'Required members are in it.'),
    met('8.4.1-5', 'MUST', 'Other members with their default are left out.'),
    met('8.4.1-6', 'MUST', 'The signatures are not part of what is signed.'),
    met(
      '8.4.2-1',
      'MUST',
      'The protected header names the algorithm and the key.',
      'EdDSA with the relay’s own key, whose id is the relay’s.',
    ),
    met('8.4.2-2', 'SHOULD', 'It says `JOSE`.'),
    met('8.4.2-3', 'MAY', 'It says where the key is.', '`/.well-known/jwks.json` of the relay.'),
    met('8.6-1', 'SHOULD', 'Cards are cached as HTTP has it.', '`If-None-Match` and `If-Modified-Since` get a 304.'),
    met('8.6.1-1', 'SHOULD', 'A card has `Cache-Control` with a `max-age`.'),
    met('8.6.1-2', 'SHOULD', 'It has an `ETag`.', 'A hash of its text.'),
    met('8.6.1-3', 'MAY', 'It has `Last-Modified`.'),
  ],
};
