import type { Json, JsonObject } from '../../relay/contract/json.ts';
import type { CallOptions } from './a2a-client.ts';

type Verb = 'GET' | 'POST' | 'DELETE';
type Route = readonly [verb: Verb, path: (of: PathIds) => string, ids: readonly string[]];
interface PathIds {
  readonly id: string;
  readonly taskId: string;
}

const configs = ({ taskId }: PathIds): string => `/tasks/${taskId}/pushNotificationConfigs`;

/** A2A 1.0.1 section 5.3: each method's verb and path, and which of its parameters are in the path. */
const ROUTES = {
  SendMessage: ['POST', () => '/message:send', []],
  SendStreamingMessage: ['POST', () => '/message:stream', []],
  GetTask: ['GET', ({ id }) => `/tasks/${id}`, ['id']],
  ListTasks: ['GET', () => '/tasks', []],
  CancelTask: ['POST', ({ id }) => `/tasks/${id}:cancel`, ['id']],
  SubscribeToTask: ['POST', ({ id }) => `/tasks/${id}:subscribe`, ['id']],
  CreateTaskPushNotificationConfig: ['POST', configs, ['taskId']],
  GetTaskPushNotificationConfig: ['GET', (of) => `${configs(of)}/${of.id}`, ['taskId', 'id']],
  ListTaskPushNotificationConfigs: ['GET', configs, ['taskId']],
  DeleteTaskPushNotificationConfig: ['DELETE', (of) => `${configs(of)}/${of.id}`, ['taskId', 'id']],
  GetExtendedAgentCard: ['GET', () => '/extendedAgentCard', []],
} as const satisfies Record<string, Route>;

/** The methods of A2A 1.0. */
export type Method = keyof typeof ROUTES;
export const METHODS: readonly Method[] = [
  'SendMessage',
  'SendStreamingMessage',
  'GetTask',
  'ListTasks',
  'CancelTask',
  'SubscribeToTask',
  'CreateTaskPushNotificationConfig',
  'GetTaskPushNotificationConfig',
  'ListTaskPushNotificationConfigs',
  'DeleteTaskPushNotificationConfig',
  'GetExtendedAgentCard',
];

/** A call of A2A 1.0 as the HTTP+JSON binding makes it (sections 5.3 and 11). */
export function httpCall(method: Method, params: JsonObject, { at = '/a/alice', headers, signal }: CallOptions) {
  const [verb, pathOf, inPath]: Route = ROUTES[method];
  const segment = (name: string): string => encodeURIComponent(textOf(params[name] ?? ''));
  const rest = Object.entries(params).filter(([name]) => !inPath.includes(name));
  const path = `${at}${pathOf({ id: segment('id'), taskId: segment('taskId') })}`;
  const query = new URLSearchParams(rest.map(([name, value]) => [name, textOf(value)])).toString();
  const hasBody = verb === 'POST';
  return {
    verb,
    path: hasBody || query === '' ? path : `${path}?${query}`,
    request: {
      headers: { 'a2a-version': '1.0', ...(hasBody && { 'content-type': 'application/a2a+json' }), ...headers },
      ...(hasBody && { body: JSON.stringify(Object.fromEntries(rest)) }),
      ...(signal && { signal }),
    },
  };
}

/** Strings as they are, everything else as JSON has it (section 11.5). */
function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
