import { randomUUID } from 'node:crypto';
import type { Json, JsonObject } from '../../relay/contract/json.ts';
import { message, rpcBody } from './a2a-client.ts';

/** What alice has sent, and what was sent to her. */
export interface Tasks {
  readonly sent: string;
  readonly received: string;
}
/** One request of alice's. */
export interface ScopeRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: Json;
  readonly version?: string;
}
export type Ask = (tasks: Tasks) => ScopeRequest;
/** What comes of it with each key: `ok`, or the reason of the refusal. */
export type Outcomes = Readonly<Record<'send' | 'receive' | 'contacts', string>>;

const onlySend: Outcomes = { send: 'ok', receive: 'SCOPE_REQUIRED', contacts: 'SCOPE_REQUIRED' };
const onlyReceive: Outcomes = { send: 'SCOPE_REQUIRED', receive: 'ok', contacts: 'SCOPE_REQUIRED' };
const onlyContacts: Outcomes = { send: 'SCOPE_REQUIRED', receive: 'SCOPE_REQUIRED', contacts: 'ok' };
const any: Outcomes = { send: 'ok', receive: 'ok', contacts: 'ok' };
/** Reading what was sent, or received: the rest is not there. */
const readSent: Outcomes = { send: 'ok', receive: 'TASK_NOT_FOUND', contacts: 'TASK_NOT_FOUND' };
const readReceived: Outcomes = { send: 'TASK_NOT_FOUND', receive: 'ok', contacts: 'TASK_NOT_FOUND' };
/** Words on what was sent, or received: both sides say some. */
const writeSent: Outcomes = { ...readSent, contacts: 'SCOPE_REQUIRED' };
const writeReceived: Outcomes = { ...readReceived, contacts: 'SCOPE_REQUIRED' };
const list: Outcomes = { send: 'ok', receive: 'ok', contacts: 'SCOPE_REQUIRED' };

/** Nobody listens there. */
export const HOOK = 'http://127.0.0.1:9/';
const json = (method: string, params: JsonObject, path = '/a2a', version = '1.0'): ScopeRequest => ({
  method: 'POST',
  path,
  body: JSON.parse(rpcBody(method, params)) as Json,
  version,
});
const get = (path: string): ScopeRequest => ({ method: 'GET', path, version: '1.0' });
const rest = (path: string, body: JsonObject): ScopeRequest => ({ method: 'POST', path, body, version: '1.0' });
/** The params of a message that nobody waits for. */
export const words = (more: JsonObject = {}): JsonObject => ({
  ...message(randomUUID(), more),
  configuration: { returnImmediately: true },
});
const oldWords = (more: JsonObject = {}): JsonObject => ({
  message: { kind: 'message', messageId: randomUUID(), role: 'user', parts: [{ kind: 'text', text: 'x' }], ...more },
  configuration: { blocking: false },
});

/** Every operation in each binding, and every route of ours: what comes of it with keys of alice's that have one scope each. */
export const SCOPE_ROWS: readonly (readonly [string, Ask, Outcomes])[] = [
  // JSON-RPC
  ['SendMessage: new', () => json('SendMessage', words(), '/a/frank'), onlySend],
  ['SendMessage: on what was sent', ({ sent }) => json('SendMessage', words({ taskId: sent })), writeSent],
  [
    'SendMessage: on what was received',
    ({ received }) => json('SendMessage', words({ taskId: received })),
    writeReceived,
  ],
  ['SendMessage: to the guide', () => json('SendMessage', words()), onlySend],
  ['SendStreamingMessage: new', () => json('SendStreamingMessage', words(), '/a/frank'), onlySend],
  [
    'SendStreamingMessage: on what was received',
    ({ received }) => json('SendStreamingMessage', words({ taskId: received })),
    writeReceived,
  ],
  ['GetTask: sent', ({ sent }) => json('GetTask', { id: sent }), readSent],
  ['GetTask: received', ({ received }) => json('GetTask', { id: received }), readReceived],
  [
    'GetTask: received, at one’s own endpoint',
    ({ received }) => json('GetTask', { id: received }, '/a/alice'),
    readReceived,
  ],
  ['ListTasks', () => json('ListTasks', {}), list],
  ['ListTasks: at one’s own endpoint', () => json('ListTasks', {}, '/a/alice'), onlyReceive],
  ['ListTasks: at another’s', () => json('ListTasks', {}, '/a/frank'), onlySend],
  ['CancelTask', ({ sent }) => json('CancelTask', { id: sent }), onlySend],
  ['SubscribeToTask: sent', ({ sent }) => json('SubscribeToTask', { id: sent }), readSent],
  ['SubscribeToTask: received', ({ received }) => json('SubscribeToTask', { id: received }), readReceived],
  [
    'Create…PushNotificationConfig: sent',
    ({ sent }) => json('CreateTaskPushNotificationConfig', { taskId: sent, url: HOOK }),
    readSent,
  ],
  [
    'Create…PushNotificationConfig: received',
    ({ received }) => json('CreateTaskPushNotificationConfig', { taskId: received, url: HOOK }),
    readReceived,
  ],
  [
    'Get…PushNotificationConfig',
    ({ sent }) => json('GetTaskPushNotificationConfig', { taskId: sent, id: 'hook' }),
    readSent,
  ],
  [
    'List…PushNotificationConfigs',
    ({ received }) => json('ListTaskPushNotificationConfigs', { taskId: received }),
    readReceived,
  ],
  [
    'Delete…PushNotificationConfig',
    ({ sent }) => json('DeleteTaskPushNotificationConfig', { taskId: sent, id: 'x' }),
    readSent,
  ],
  ['GetExtendedAgentCard', () => json('GetExtendedAgentCard', {}, '/a/frank'), any],
  // of our extension
  [
    'tasks/update: accept',
    ({ received }) => json('tasks/update', { task_id: received, transition: 'accept' }),
    onlyReceive,
  ],
  [
    'tasks/update: decline',
    ({ received }) => json('tasks/update', { task_id: received, transition: 'decline' }),
    onlyReceive,
  ],
  ['tasks/update: cancel', ({ sent }) => json('tasks/update', { task_id: sent, transition: 'cancel' }), onlySend],
  [
    'tasks/update: words on what was sent',
    ({ sent }) => json('tasks/update', { task_id: sent, message: 'x' }),
    writeSent,
  ],
  [
    'tasks/update: words on what was received',
    ({ received }) => json('tasks/update', { task_id: received, message: 'x' }),
    writeReceived,
  ],
  ['tasks/list', () => json('tasks/list', {}), list],
  ['tasks/list: received', () => json('tasks/list', { filter: { role: 'recipient' } }), onlyReceive],
  ['tasks/list: sent', () => json('tasks/list', { filter: { role: 'sender' } }), onlySend],
  // 0.3
  ['message/send: new', () => json('message/send', oldWords(), '/a/frank', '0.3'), onlySend],
  [
    'message/send: on what was received',
    ({ received }) => json('message/send', oldWords({ taskId: received }), '/a2a', '0.3'),
    writeReceived,
  ],
  ['tasks/get', ({ sent }) => json('tasks/get', { id: sent }, '/a2a', '0.3'), readSent],
  ['tasks/cancel', ({ sent }) => json('tasks/cancel', { id: sent }, '/a2a', '0.3'), onlySend],
  ['tasks/resubscribe', ({ received }) => json('tasks/resubscribe', { id: received }, '/a2a', '0.3'), readReceived],
  // HTTP+JSON
  ['message:send: new', () => rest('/a/frank/message:send', words()), onlySend],
  [
    'message:send: on what was received',
    ({ received }) => rest('/a2a/message:send', words({ taskId: received })),
    writeReceived,
  ],
  ['message:stream: new', () => rest('/a/frank/message:stream', words()), onlySend],
  ['tasks/{id}: sent', ({ sent }) => get(`/a2a/tasks/${sent}`), readSent],
  ['tasks/{id}: received', ({ received }) => get(`/a2a/tasks/${received}`), readReceived],
  ['tasks', () => get('/a2a/tasks'), list],
  ['tasks: at one’s own endpoint', () => get('/a/alice/tasks'), onlyReceive],
  ['tasks/{id}:cancel', ({ sent }) => rest(`/a2a/tasks/${sent}:cancel`, {}), onlySend],
  ['tasks/{id}:subscribe', ({ received }) => get(`/a2a/tasks/${received}:subscribe`), readReceived],
  [
    'pushNotificationConfigs: new',
    ({ sent }) => rest(`/a2a/tasks/${sent}/pushNotificationConfigs`, { url: HOOK }),
    readSent,
  ],
  ['pushNotificationConfigs', ({ received }) => get(`/a2a/tasks/${received}/pushNotificationConfigs`), readReceived],
  ['pushNotificationConfigs/{id}', ({ sent }) => get(`/a2a/tasks/${sent}/pushNotificationConfigs/hook`), readSent],
  [
    'pushNotificationConfigs/{id}: delete',
    ({ sent }) => ({ ...get(`/a2a/tasks/${sent}/pushNotificationConfigs/x`), method: 'DELETE' }),
    readSent,
  ],
  ['extendedAgentCard', () => get('/a/frank/extendedAgentCard'), any],
  // our own routes
  ['GET /v1/inbox/events', () => get(`/v1/inbox/events?desk_id=${randomUUID()}&take_over=1`), onlyReceive],
  ['GET /v1/tasks/:id/events', ({ sent }) => get(`/v1/tasks/${sent}/events`), readSent],
  ['GET /v1/tasks/:id/events (received)', ({ received }) => get(`/v1/tasks/${received}/events`), readReceived],
  ['POST /v1/receipts', ({ sent }) => rest('/v1/receipts', receipt(sent)), writeSent],
  ['POST /v1/receipts (received)', ({ received }) => rest('/v1/receipts', receipt(received)), writeReceived],
  [
    'POST /v1/tasks/:id/redeliver',
    ({ sent }) => rest(`/v1/tasks/${sent}/redeliver`, {}),
    { ...writeSent, send: 'UNSUPPORTED_OPERATION' },
  ],
  ['GET /v1/dead-letters', () => get('/v1/dead-letters'), any],
  ['POST /v1/leases', () => rest('/v1/leases', { worker: randomUUID(), wait_s: 0 }), onlyReceive],
  [
    'POST /v1/leases/:task/renew',
    ({ received }) => rest(`/v1/leases/${received}/renew`, { worker: 'w' }),
    { ...onlyReceive, receive: 'LEASE_LOST' },
  ],
  [
    'POST /v1/leases/:task/release',
    ({ received }) => rest(`/v1/leases/${received}/release`, { worker: 'w' }),
    { ...onlyReceive, receive: 'LEASE_LOST' },
  ],
  ['GET /v1/directory', () => get('/v1/directory'), any],
  ['PUT /v1/agents/me/card', () => ({ ...rest('/v1/agents/me/card', { name: 'Alice' }), method: 'PUT' }), onlyContacts],
  ['GET /v1/contacts', () => get('/v1/contacts'), onlyContacts],
  ['POST /v1/contacts', () => rest('/v1/contacts', { handle: 'frank' }), onlyContacts],
  [
    'DELETE /v1/contacts/:handle',
    () => ({ ...get('/v1/contacts/mia'), method: 'DELETE' }),
    { ...onlyContacts, contacts: 'RECIPIENT_NOT_FOUND' },
  ],
  [
    'POST /v1/blocks',
    () => rest('/v1/blocks', { handle: 'mia' }),
    { ...onlyContacts, contacts: 'RECIPIENT_NOT_FOUND' },
  ],
  [
    'DELETE /v1/blocks/:handle',
    () => ({ ...get('/v1/blocks/mia'), method: 'DELETE' }),
    { ...onlyContacts, contacts: 'RECIPIENT_NOT_FOUND' },
  ],
  ['GET /v1/keys', () => get('/v1/keys'), any],
  ['POST /v1/keys', () => rest('/v1/keys', { scopes: ['send'] }), onlySend],
  [
    'POST /v1/keys/rotate',
    () => rest('/v1/keys/rotate', { api_key: 'none' }),
    { send: 'INVALID_PARAMS', receive: 'INVALID_PARAMS', contacts: 'INVALID_PARAMS' },
  ],
  [
    'DELETE /v1/keys/:id',
    () => ({ ...get('/v1/keys/none'), method: 'DELETE' }),
    { send: 'ROUTE_NOT_FOUND', receive: 'ROUTE_NOT_FOUND', contacts: 'ROUTE_NOT_FOUND' },
  ],
  // of the admin's
  ...(['/admin/agents', '/v1/invites'] as const).map(
    (path) =>
      [
        `GET ${path}`,
        () => get(path),
        { send: 'SCOPE_REQUIRED', receive: 'SCOPE_REQUIRED', contacts: 'SCOPE_REQUIRED' },
      ] as const,
  ),
];

function receipt(task_id: string): JsonObject {
  return { items: [{ task_id, version: 1, state: 'surfaced' }] };
}
