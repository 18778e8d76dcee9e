import type { AuthenticationInfo, TaskPushNotificationConfig } from '../contract/a2a.ts';
import type { Generation } from '../contract/generation.ts';
import { EXTENSION_URI } from '../contract/handoff.ts';
import type { JsonObject } from '../contract/json.ts';
import type { NewPushConfig } from '../operations/operation.ts';
import { compact, MAX_ID, type Fields } from './fields.ts';

/** Longest webhook address, in characters. */
const MAX_URL = 2048;
/** Longest token, and longest credentials: they have to fit into a header. */
const MAX_SECRET = 4096;

/** RFC 9110 section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** What may stand in a header's value, so that nothing in it can begin another header. */
const HEADER_VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** A webhook as 1.0 has it: `TaskPushNotificationConfig`, flat. */
export function readPushConfig(fields: Fields): NewPushConfig {
  const authentication = fields.fields('authentication');
  return readConfig(fields, 'A2A 1.0', authentication && readAuthentication(authentication, 'scheme'));
}

/**
 * A webhook as the generations before 1.0 have it: `PushNotificationConfig`, with a list of authentication schemes. The
 * first one is used: nothing says which credentials another one would have.
 */
export function readLegacyPushConfig(fields: Fields, generation: Generation): NewPushConfig {
  const authentication = fields.fields('authentication');
  return readConfig(fields, generation, authentication && readAuthentication(authentication, 'schemes'));
}

/** The same, written. */
export function legacyPushConfig({
  authentication,
  ...config
}: Omit<TaskPushNotificationConfig, 'taskId' | 'id'>): JsonObject {
  return compact<JsonObject>({ ...config, authentication: authentication && { schemes: [authentication.scheme] } });
}

function readConfig(
  fields: Fields,
  generation: Generation,
  authentication: AuthenticationInfo | undefined,
): NewPushConfig {
  return compact<NewPushConfig>({
    id: fields.string('id', MAX_ID),
    url: readUrl(fields),
    token: readHeaderValue(fields, 'token'),
    authentication,
    wakeUp: readWakeUp(fields),
    generation,
  });
}

/** Kept as it is given, so that it can be compared: what a reader of URLs would drop from it without a word has no place. */
function readUrl(fields: Fields): string {
  const url = fields.requiredString('url', MAX_URL);
  if (/[^\x21-\x7e]/.test(url)) fields.refuse('url', 'must be visible ASCII without spaces: encode everything else');
  return url;
}

/** Without a scheme there is nothing to authenticate by; without credentials there is nothing to send. */
function readAuthentication(fields: Fields, member: 'scheme' | 'schemes'): AuthenticationInfo | undefined {
  const [scheme] =
    member === 'scheme' ? [fields.requiredString('scheme', MAX_ID)] : (fields.strings('schemes', MAX_ID) ?? []);
  const credentials = readHeaderValue(fields, 'credentials');
  if (scheme === undefined || scheme === '') {
    if (member === 'schemes' && credentials !== undefined) fields.refuse('schemes', 'is required with credentials');
    return undefined;
  }
  if (!TOKEN.test(scheme)) fields.refuse(member, 'must be an HTTP authentication scheme, such as Bearer');
  return compact<AuthenticationInfo>({ scheme, credentials });
}

function readHeaderValue(fields: Fields, name: string): string | undefined {
  const value = fields.string(name, MAX_SECRET);
  if (value === undefined || HEADER_VALUE.test(value)) return value;
  fields.refuse(name, 'goes into an HTTP header: it must be visible ASCII on one line');
  return undefined;
}

/** `metadata[EXTENSION_URI].push`: `content` (the default), or `wake_up`. */
function readWakeUp(fields: Fields): boolean {
  const ours = fields.fields('metadata')?.fields(EXTENSION_URI);
  return ours?.choice('push', ['content', 'wake_up']) === 'wake_up';
}
