import type { z } from 'zod';
import type { Artifact, DataPart, Message, Part, RawPart, Role, TextPart, UrlPart } from '../../contract/a2a.ts';
import { ARTIFACT_MEDIA_TYPE, typedArtifactSchema } from '../../contract/artifact.ts';
import { isJsonObject, type Json } from '../../contract/json.ts';
import { canonicalBase64 } from '../base64.ts';
import { compact, MAX_ID, type Fields } from '../fields.ts';

/** Most parts of one message or artifact. */
export const MAX_PARTS = 256;
const MAX_URI = 2048;

/** A Message of A2A 1.0 (proto lf.a2a.v1). Its metadata is passed on as it is. */
export function readMessage(fields: Fields): Message {
  return compact<Message>({
    messageId: fields.requiredString('messageId', MAX_ID),
    role: readRole(fields),
    parts: readParts(fields, readPart),
    ...readMessageRest(fields),
  });
}

/** The optional members of a Message, which are the same in every generation. */
export function readMessageRest(fields: Fields) {
  return {
    contextId: fields.string('contextId', MAX_ID),
    taskId: fields.string('taskId', MAX_ID),
    metadata: fields.object('metadata'),
    extensions: fields.strings('extensions', MAX_URI),
    referenceTaskIds: fields.strings('referenceTaskIds', MAX_ID),
  };
}

/** The parts of a message or an artifact. */
export function readParts(fields: Fields, readOnePart: (part: Fields) => Part): readonly Part[] {
  return fields.requiredObjects('parts', MAX_PARTS, readOnePart);
}

/** An Artifact; `readOnePart` reads its parts, so that other generations can put theirs in. */
export function readArtifact(fields: Fields, readOnePart: (part: Fields) => Part): Artifact {
  return compact<Artifact>({
    artifactId: fields.requiredString('artifactId', MAX_ID),
    name: fields.string('name'),
    description: fields.string('description'),
    parts: readParts(fields, readOnePart),
    metadata: fields.object('metadata'),
    extensions: fields.strings('extensions', MAX_URI),
  });
}

const ROLES: ReadonlyMap<Json | undefined, Role> = new Map<Json | undefined, Role>([
  ['ROLE_USER', 'ROLE_USER'],
  [1, 'ROLE_USER'],
  ['ROLE_AGENT', 'ROLE_AGENT'],
  [2, 'ROLE_AGENT'],
]);

function readRole(fields: Fields): Role {
  const role = ROLES.get(fields.get('role'));
  if (role === undefined) fields.refuse('role', 'must be ROLE_USER or ROLE_AGENT');
  return role ?? 'ROLE_USER';
}

/**
 * A Part: exactly one of text, raw, url and data. JSON null is a value of `data` like any other, so `{"data": null}`
 * is a data part; beside another content it is what it is everywhere else, "not set".
 * Base64 leaves in its canonical form; a typed artifact of a known type has to be right in every member.
 */
export function readPart(fields: Fields): Part {
  const common = {
    mediaType: fields.string('mediaType'),
    filename: fields.string('filename'),
    metadata: fields.object('metadata'),
  };
  const text = fields.get('text');
  const raw = fields.get('raw');
  const url = fields.get('url');
  const others = Number(text !== undefined) + Number(raw !== undefined) + Number(url !== undefined);
  const data = fields.json['data'];
  const hasData = data !== undefined && (data !== null || others === 0);
  if (others + Number(hasData) !== 1) {
    fields.violations.add(fields.path, 'must have exactly one of text, raw, url and data');
    return { text: '' };
  }
  if (hasData) {
    if (common.mediaType === ARTIFACT_MEDIA_TYPE) checkTypedArtifact(fields, data);
    return compact<DataPart>({ data, ...common });
  }
  if (text !== undefined) return compact<TextPart>({ text: readText(fields, 'text') ?? '', ...common });
  if (raw !== undefined) return compact<RawPart>({ raw: readBase64(fields) ?? '', ...common });
  return compact<UrlPart>({ url: readAddress(fields) ?? '', ...common });
}

/** A string that may be empty. */
function readText(fields: Fields, name: string): string | undefined {
  const value = fields.get(name);
  if (typeof value === 'string') return value;
  fields.refuse(name, 'must be a string');
  return undefined;
}

function readBase64(fields: Fields): string | undefined {
  const text = readText(fields, 'raw');
  const base64 = text === undefined ? undefined : canonicalBase64(text);
  if (text !== undefined && base64 === undefined) fields.refuse('raw', 'must be base64');
  return base64;
}

function readAddress(fields: Fields): string | undefined {
  const text = readText(fields, 'url');
  if (text !== undefined && !URL.canParse(text)) fields.refuse('url', 'must be an absolute URL');
  return text;
}

const KNOWN_TYPES: ReadonlySet<Json | undefined> = new Set(typedArtifactSchema.options.map((o) => o.shape.type.value));

/** Strict on what we know, open to what we do not: an unknown type is kept and shown as data. */
function checkTypedArtifact(fields: Fields, data: Json): void {
  if (!isJsonObject(data) || typeof data['type'] !== 'string') {
    fields.refuse('data', `needs a "type", since its mediaType is ${ARTIFACT_MEDIA_TYPE}`);
    return;
  }
  if (KNOWN_TYPES.has(data['type'])) refuseIssues(fields, 'data', typedArtifactSchema.safeParse(data));
}

/** Notes what zod found wrong with a member. */
export function refuseIssues(fields: Fields, name: string, result: z.ZodSafeParseResult<unknown>): void {
  for (const issue of result.error?.issues ?? []) {
    fields.refuse([name, ...issue.path.map(String)].join('.'), issue.message);
  }
}
