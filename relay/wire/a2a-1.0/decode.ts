import type { JsonObject } from '../../contract/json.ts';
import type {
  CancelTaskOperation,
  CreatePushConfigOperation,
  GetTaskOperation,
  ListPushConfigsOperation,
  ListTasksOperation,
  Operation,
  SendOperation,
  SubscribeOperation,
} from '../../operations/operation.ts';
import type { HandoffState } from '../../contract/handoff.ts';
import { readHandoffMeta, withAcceptedModes, withSharedMetadata } from '../agentrelay/meta.ts';
import { compact, MAX_ID, MAX_INT32, type Fields, MAX_TOKEN } from '../fields.ts';
import { readPushConfig } from '../push-config.ts';
import { statesOf } from '../states.ts';
import { parseTimestamp } from '../timestamp.ts';
import { readMessage } from './message.ts';
import { readCall, type Methods } from '../read-call.ts';

const DEFAULT_PAGE_SIZE = 50;

const METHODS: Methods = new Map<string, (params: Fields) => Operation>([
  ['SendMessage', (params) => readSend('send', params)],
  ['SendStreamingMessage', (params) => readSend('stream', params)],
  ['GetTask', readGetTask],
  ['ListTasks', readListTasks],
  ['CancelTask', readCancelTask],
  ['SubscribeToTask', readSubscribe],
  ['CreateTaskPushNotificationConfig', readCreatePushConfig],
  [
    'GetTaskPushNotificationConfig',
    (params) =>
      compact<Operation>({ op: 'getPushConfig', ...readTaskOfConfig(params), configId: readConfigId(params) }),
  ],
  ['ListTaskPushNotificationConfigs', readListPushConfigs],
  [
    'DeleteTaskPushNotificationConfig',
    (params) =>
      compact<Operation>({ op: 'deletePushConfig', ...readTaskOfConfig(params), configId: readConfigId(params) }),
  ],
  ['GetExtendedAgentCard', (params) => compact<Operation>({ op: 'extendedCard', tenant: readTenant(params) })],
]);

/**
 * A call of A2A 1.0 (spec section 5.3, proto lf.a2a.v1) with our extension's metadata. Input is read as tolerantly as
 * ProtoJSON allows: both spellings of names, enums by number, integers as strings, null as absent, unknown members
 * ignored.
 *
 * @throws RelayError INVALID_PARAMS naming all that is wrong (at most 20 things), METHOD_NOT_FOUND,
 *   and nothing else
 */
export function decodeOperation(method: string, params: JsonObject | undefined): Operation {
  return readCall(METHODS, '1.0', method, params);
}

function readSend(op: 'send' | 'stream', params: Fields): SendOperation {
  const messageFields = params.requiredFields('message');
  const message = readMessage(messageFields);
  const meta = readHandoffMeta(params, messageFields);
  const configuration = params.fields('configuration');
  const push = configuration?.fields('taskPushNotificationConfig');
  const modes = configuration?.strings('acceptedOutputModes', MAX_ID);
  return compact<SendOperation>({
    op,
    tenant: readTenant(params),
    message: withAcceptedModes(withSharedMetadata(message, params), modes),
    meta,
    historyLength: configuration && readHistoryLength(configuration),
    returnImmediately: configuration?.boolean('returnImmediately') ?? false,
    push: push && readPushConfig(push),
  });
}

function readGetTask(params: Fields): GetTaskOperation {
  return compact<GetTaskOperation>({
    op: 'getTask',
    ...readTaskId(params),
    historyLength: readHistoryLength(params),
  });
}

function readCancelTask(params: Fields): CancelTaskOperation {
  return compact<CancelTaskOperation>({ op: 'cancelTask', ...readTaskId(params) });
}

function readSubscribe(params: Fields): SubscribeOperation {
  return compact<SubscribeOperation>({ op: 'subscribe', ...readTaskId(params) });
}

function readListTasks(params: Fields): ListTasksOperation {
  return compact<ListTasksOperation>({
    op: 'listTasks',
    tenant: readTenant(params),
    contextId: params.string('contextId', MAX_ID),
    states: readStatus(params),
    pageSize: params.integer('pageSize', 1, 100) ?? DEFAULT_PAGE_SIZE,
    pageToken: params.string('pageToken', MAX_TOKEN),
    historyLength: readHistoryLength(params),
    statusSince: readStatusSince(params),
    includeArtifacts: params.boolean('includeArtifacts') ?? false,
  });
}

function readCreatePushConfig(params: Fields): CreatePushConfigOperation {
  return compact<CreatePushConfigOperation>({
    op: 'createPushConfig',
    ...readTaskOfConfig(params),
    config: readPushConfig(params),
  });
}

function readListPushConfigs(params: Fields): ListPushConfigsOperation {
  return compact<ListPushConfigsOperation>({
    op: 'listPushConfigs',
    ...readTaskOfConfig(params),
    pageSize: params.integer('pageSize', 1, 100) ?? DEFAULT_PAGE_SIZE,
    pageToken: params.string('pageToken', MAX_TOKEN),
  });
}

/** Here `id` is the config's. */
function readTaskOfConfig(params: Fields) {
  return { tenant: readTenant(params), id: params.requiredString('taskId', MAX_ID) };
}

function readConfigId(params: Fields): string {
  return params.requiredString('id', MAX_ID);
}

function readTaskId(params: Fields) {
  return { tenant: readTenant(params), id: params.requiredString('id', MAX_ID) };
}

function readTenant(params: Fields): string | undefined {
  return params.string('tenant', MAX_ID);
}

function readHistoryLength(fields: Fields): number | undefined {
  return fields.integer('historyLength', 0, MAX_INT32);
}

/** TASK_STATE_UNSPECIFIED is the proto's way to say nothing; a state that no handoff is ever in matches none. */
function readStatus(params: Fields): readonly HandoffState[] | undefined {
  const status = params.get('status');
  if (status === undefined || status === 'TASK_STATE_UNSPECIFIED' || status === 0) return undefined;
  const states = statesOf(status);
  if (states === undefined) params.refuse('status', 'must be a TaskState, such as TASK_STATE_WORKING');
  return states;
}

function readStatusSince(params: Fields): number | undefined {
  const text = params.string('statusTimestampAfter', 64);
  if (text === undefined) return undefined;
  const time = parseTimestamp(text);
  if (time === undefined)
    params.refuse('statusTimestampAfter', 'must be an RFC 3339 time, such as 2026-01-31T12:00:00Z');
  return time;
}
