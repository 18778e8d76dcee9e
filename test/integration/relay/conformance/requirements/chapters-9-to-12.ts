import { met, notOurs, type Chapter } from './requirement.ts';

const NO_GRPC = 'The relay does not speak gRPC, and no card says that it does.';

export const JSON_RPC: Chapter = {
  title: '9, JSON-RPC',
  requirements: [
    met('9.1-1', 'MUST', 'Requests and answers are `application/json`, by method names in PascalCase.'),
    met(
      '9.2-1',
      'MUST',
      'Service parameters are HTTP headers, in any case.',
      'The version may stand in the query instead (section 3.6.1).',
    ),
    met('9.2-2', 'SHOULD', 'Several values of one are separated by commas.'),
    met(
      '9.3-1',
      'MUST',
      'Requests are JSON-RPC 2.0; what is none is refused.',
      'Batches are refused; notifications are carried out and not answered.',
    ),
    met('9.4.2-1', 'MUST', 'Each event of a stream is a whole answer, with the id of the request.'),
    met('9.5-1', 'MUST', 'JSON-RPC’s own errors have its own codes.'),
    met('9.5-2', 'MUST', 'Each detail of an error has an `@type`.'),
    met('9.5-3', 'SHOULD', 'Details are ErrorInfo and BadRequest.'),
  ],
};

export const GRPC: Chapter = {
  title: '10, gRPC',
  requirements: [
    notOurs('10-1', 'MUST', 'Service parameters are gRPC metadata, and errors carry ErrorInfo.', NO_GRPC),
    notOurs('10-2', 'SHOULD', 'Service parameters are validated, several values separated by commas.', NO_GRPC),
  ],
};

export const HTTP_JSON: Chapter = {
  title: '11, HTTP+JSON',
  requirements: [
    met('11.1-1', 'SHOULD', 'Requests and answers are `application/a2a+json`.', '`application/json` is taken as well.'),
    met('11.2-1', 'MUST', 'Service parameters are HTTP headers, in any case.'),
    met('11.2-2', 'SHOULD', 'Several values of one are separated by commas.'),
    met(
      '11.3-1',
      'MUST',
      'Each operation has its path and verb.',
      '`:subscribe` by POST, as this section has it, and by GET, as the proto does.',
    ),
    met('11.5-1', 'MUST', 'Parameters of GET and DELETE are in the path and the query.'),
    met('11.5-2', 'MUST', 'Query parameters are in camelCase.', 'The names of the proto are taken as well.'),
    met('11.5-3', 'MUST', 'Values of the query are percent-encoded.'),
    notOurs('11.5-4', 'MUST', 'Nested objects go into the body of a POST.', 'It binds clients.'),
    met('11.6-1', 'MUST', 'An error has the HTTP status, also in `error.code`, and a message.'),
    met('11.6-2', 'MUST', 'Each detail of an error has an `@type`.'),
    met('11.6-3', 'MUST', 'An error of A2A has an ErrorInfo with its reason and the domain `a2a-protocol.org`.'),
    met('11.6-4', 'SHOULD', 'Wrong values are named by a BadRequest.'),
    met('11.7-1', 'SHOULD', 'Events of a stream are not reordered.'),
  ],
};

export const CUSTOM_BINDINGS: Chapter = {
  title: '12, Custom bindings',
  requirements: [
    notOurs(
      '12-1',
      'MUST',
      'A custom binding is complete, documented, secure and declared in the card (also 3.2.6, 5.4 and 13.4).',
      'The relay has none.',
    ),
    notOurs('12.8-1', 'SHOULD', 'It is tested against the standard ones.', 'The relay has none.'),
  ],
};
