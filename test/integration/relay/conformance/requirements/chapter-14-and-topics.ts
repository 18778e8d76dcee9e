import { met, notMet, notOurs, type Chapter } from './requirement.ts';

export const REGISTRATIONS: Chapter = {
  title: '14, Registrations; appendix A; topics',
  requirements: [
    met('14.1.1-1', 'MUST', 'JSON is UTF-8.'),
    met('14.1.1-2', 'MUST', 'Content is checked against the schema.'),
    met(
      '14.1.1-3',
      'MUST',
      'What users wrote injects nothing.',
      'It is data everywhere: in SQL, in a stream, in a header, in the window.',
    ),
    met('14.1.1-4', 'MUST', 'A reference to a file makes the relay call nothing.', 'It never fetches one.'),
    met('14.1.1-5', 'MUST', 'Authentication and authorization are enforced.'),
    notOurs(
      '14.1.1-6',
      'MUST',
      'History and artifacts are protected as the law asks.',
      'It binds who runs the relay; the relay’s part is in 13.1 and 13.4.',
    ),
    notOurs(
      '14.2.1-1',
      'MUST',
      'A version is `Major.Minor`.',
      'It binds clients; another form is refused, or read without its patch number.',
    ),
    met(
      '14.3-1',
      'MUST',
      '`/.well-known/agent-card.json` is a card.',
      'The guide’s; with `?id=` any agent’s. Who names no version gets one that readers of 0.3 understand, too.',
    ),
    met('14.3-2', 'SHOULD NOT', 'A card holds no credentials and nothing internal.'),
    met('14.3-3', 'SHOULD', 'It can be had over HTTPS.'),
    met('14.3-4', 'MUST', 'The extended card is access-controlled.'),
    met('A.2-1', 'SHOULD NOT', 'Answers of 1.0 have nothing of older forms, such as `kind`.'),
    notOurs(
      'A-1',
      'MUST',
      'Old names and anchors stay resolvable (also 1.4).',
      'It binds the specification’s own documents, its proto and SDKs.',
    ),
    met('extensions-1', 'SHOULD', 'The answer names the extensions that are active.'),
    notMet(
      'extensions-2',
      'SHOULD',
      'An extension is documented at its URI.',
      'Its URI is a URN. It is documented in [docs/extension.md](extension.md).',
    ),
    met('extensions-3', 'MUST', 'What an extension adds is validated.'),
    met('extensions-4', 'MUST', 'Its methods want the same authentication and authorization.'),
    met('extensions-5', 'MUST NOT', 'It is no way around them.'),
    met('multi-tenancy-1', 'SHOULD', 'Of several agents at one address, each has its own card.'),
    met('streaming-1', 'SHOULD NOT', 'Webhooks are not trusted blindly.'),
    met('streaming-2', 'SHOULD', 'A notification has a time.', 'The status in it; an artifact’s has no place for one.'),
  ],
};
