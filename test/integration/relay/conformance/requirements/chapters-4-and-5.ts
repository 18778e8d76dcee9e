import { met, notOurs, type Chapter } from './requirement.ts';

const NO_SUCH_BINDING = 'The relay has no binding of its own.';

export const DATA_MODEL: Chapter = {
  title: '4, Data model, push notifications and extensions',
  requirements: [
    notOurs(
      '4-1',
      'MUST',
      'What webhooks do: answer with 2xx, check whose notification it is, take it twice if it comes twice.',
      'It binds clients.',
    ),
    met('4-2', 'MUST', 'Objects are the same over every binding.'),
    met(
      '4.1.4-1',
      'MUST',
      'A message of the server’s side has a context; and a task, if there is one.',
      'The proto says it without capitals.',
    ),
    met('4.1.6-1', 'MUST', 'A part has exactly one of `text`, `raw`, `url` and `data`.'),
    met(
      '4.1.7-1',
      'MUST',
      'The id of an artifact is its own within the task.',
      'The same id again replaces it, or goes on with it.',
    ),
    met('4.3.1-1', 'MUST', 'A webhook without an address is refused.'),
    met('4.3.2-1', 'MUST', 'Authentication without a scheme is refused.'),
    met('4.3.3-1', 'MUST', 'A webhook is called with the credentials that were set for it.'),
    met(
      '4.3.3-2',
      'MUST',
      'Each webhook is told at least once.',
      'Up to 24 times in a day, then it is a dead letter, which can be pushed again.',
    ),
    met('4.3.3-3', 'SHOULD', 'A call of a webhook takes 10 to 30 s at most.', '15 s.'),
    met('4.3.3-4', 'MAY', 'What fails is tried again, less and less often.'),
    met(
      '4.3.3-5',
      'MUST',
      'What is pushed is one event, as a stream has it.',
      'In the form of the generation in which the webhook was set.',
    ),
    met(
      '4.4.6-1',
      'MUST',
      'The address in a card is an absolute one with HTTPS, in production.',
      'It is the relay’s own, or what `--public-url` says. A relay for one machine alone has no TLS.',
    ),
    met('4.6.3-1', 'SHOULD', 'The URI of an extension has its version in it.', '`urn:agentrelay:handoff:1`.'),
    notOurs(
      '4.6.3-2',
      'MUST',
      'A breaking change of an extension gets a new URI.',
      'Ours has had none yet; the number at its end is for that.',
    ),
    met('4.6.3-3', 'SHOULD', 'An extension, or a version of one, that is not supported is ignored.'),
    met('4.6.3-4', 'MUST', 'Unless the card requires it: then the request is refused.'),
    met('4.6.3-5', 'MUST NOT', 'Another version than the one that was asked for is never used.'),
  ],
};

export const BINDINGS_IN_GENERAL: Chapter = {
  title: '5, Bindings in general',
  requirements: [
    met('5.1-1', 'MUST', 'Every binding has the same operations.'),
    met('5.1-2', 'MUST', 'The same request gives the same result.'),
    met('5.1-3', 'MUST', 'The same mistake gives the same error, in the binding’s own codes.'),
    met('5.1-4', 'MUST', 'Every binding takes the credentials that the card names.'),
    met(
      '5.2-1',
      'MUST',
      'The card names all bindings and versions that are spoken.',
      'A2A 0.1 and 0.2 are served at the address of 0.3, and no card has a word for them.',
    ),
    met(
      '5.4-1',
      'MUST',
      'Errors of A2A have the codes and statuses of the table.',
      'Those that the relay has a use for. `-32003`, `-32006` and `-32007` are for cases that do not arise; a content type is refused (`-32005`) only for the body of a request.',
    ),
    met('5.5-1', 'MUST', 'Names of members are in camelCase.', 'But for what our extension puts into `metadata`.'),
    met('5.5-2', 'MUST', 'Enumerations are written by their names in the proto.'),
    met('5.6.1-1', 'MUST', 'Times are ISO 8601, in UTC.'),
    met('5.6.1-2', 'SHOULD', 'They have milliseconds.'),
    met('5.6.1-3', 'MUST', 'Times are read and written right.', 'With any offset, on input.'),
    met('5.6.1-4', 'MUST NOT', 'No time is written with an offset other than `Z`.'),
    met(
      '5.7-1',
      'MUST',
      'Every required member is there.',
      'Every answer in these tests is read by a schema that knows no others.',
    ),
    met('5.7-2', 'SHOULD', 'Requests without a required member are refused.'),
    met(
      '5.7-3',
      'MUST',
      'Required lists are not empty.',
      'But for `tasks` of a list of none: section 3.1.4 wants it so.',
    ),
    met('5.7-4', 'SHOULD', 'Members that are not known are ignored.'),
    notOurs('5.8-1', 'SHOULD', 'Custom bindings have a URI, and a new one for a breaking change.', NO_SUCH_BINDING),
  ],
};
