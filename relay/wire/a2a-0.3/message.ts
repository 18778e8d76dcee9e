import type { Message, Role } from '../../contract/a2a.ts';
import type { Json } from '../../contract/json.ts';
import { MAX_PARTS, readMessageRest, readParts } from '../a2a-1.0/message.ts';
import { compact, MAX_ID, type Fields } from '../fields.ts';
import { readAnyPart } from './part.ts';

/** A Message of A2A 0.3 (specification 0.3.0 section 6.4). `content` is what its proto calls the parts. */
export function readMessage03(fields: Fields): Message {
  const isProto = fields.get('parts') === undefined && fields.get('content') !== undefined;
  return compact<Message>({
    messageId: fields.requiredString('messageId', MAX_ID),
    role: readLegacyRole(fields),
    parts: isProto ? fields.requiredObjects('content', MAX_PARTS, readAnyPart) : readParts(fields, readAnyPart),
    ...readMessageRest(fields),
  });
}

/** The names of 0.3 and before, then those of its proto and of 1.0, which mixed clients send. */
const ROLES: ReadonlyMap<Json | undefined, Role> = new Map<Json | undefined, Role>([
  ['user', 'ROLE_USER'],
  ['agent', 'ROLE_AGENT'],
  ['ROLE_USER', 'ROLE_USER'],
  ['ROLE_AGENT', 'ROLE_AGENT'],
]);

/** The role of a message in A2A 0.3 and before. */
export function readLegacyRole(fields: Fields): Role {
  const role = ROLES.get(fields.get('role'));
  if (role === undefined) fields.refuse('role', 'must be user or agent');
  return role ?? 'ROLE_USER';
}
