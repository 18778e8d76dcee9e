import type { JsonObject } from '../../contract/json.ts';
import type { Operation, SendOperation } from '../../operations/operation.ts';
import { readHandoffMeta, withAcceptedModes, withSharedMetadata } from '../agentrelay/meta.ts';
import { compact, MAX_ID, MAX_INT32, type Fields } from '../fields.ts';
import { readLegacyPushConfig } from '../push-config.ts';
import { readMessage03 } from './message.ts';
import { readCall, type Methods } from '../read-call.ts';

const METHODS: Methods = new Map<string, (params: Fields) => Operation>([
  ['message/send', (params) => readSend('send', params)],
  ['message/stream', (params) => readSend('stream', params)],
  [
    'tasks/get',
    (params) => compact<Operation>({ op: 'getTask', id: readId(params), historyLength: readHistory(params) }),
  ],
  ['tasks/cancel', (params) => ({ op: 'cancelTask', id: readId(params) })],
  ['tasks/resubscribe', (params) => ({ op: 'subscribe', id: readId(params) })],
  ['tasks/pushNotificationConfig/set', readSetPushConfig],
  [
    'tasks/pushNotificationConfig/get',
    (params) =>
      compact<Operation>({
        op: 'getPushConfig',
        id: readId(params),
        configId: params.string('pushNotificationConfigId', MAX_ID),
      }),
  ],
  // there are fewer than a page has
  ['tasks/pushNotificationConfig/list', (params) => ({ op: 'listPushConfigs', id: readId(params), pageSize: 100 })],
  [
    'tasks/pushNotificationConfig/delete',
    (params) => ({
      op: 'deletePushConfig',
      id: readId(params),
      configId: params.requiredString('pushNotificationConfigId', MAX_ID),
    }),
  ],
  ['agent/getAuthenticatedExtendedCard', () => ({ op: 'extendedCard' })],
]);

/**
 * A call of A2A 0.3 (specification 0.3.0 section 7), or of 0.2.x, which has the same methods, with our extension's
 * metadata. As tolerant as the reader of 1.0, and of the names that 0.3's proto has in place of those of its JSON.
 *
 * @throws RelayError INVALID_PARAMS naming all that is wrong (at most 20 things), METHOD_NOT_FOUND,
 *   and nothing else
 */
export function decode03(method: string, params: JsonObject | undefined): Operation {
  return readCall(METHODS, '0.3', method, params);
}

/** Absent `blocking` waits, as the SDKs of 0.3 have it. */
function readSend(op: 'send' | 'stream', params: Fields): SendOperation {
  const fields = params.requiredFields('message');
  const message = readMessage03(fields);
  const meta = readHandoffMeta(params, fields);
  const configuration = params.fields('configuration');
  const push = configuration?.fields('pushNotificationConfig');
  const modes = configuration?.strings('acceptedOutputModes', MAX_ID);
  return compact<SendOperation>({
    op,
    message: withAcceptedModes(withSharedMetadata(message, params), modes),
    meta,
    historyLength: configuration && readHistory(configuration),
    returnImmediately: configuration?.boolean('blocking') === false,
    push: push && readLegacyPushConfig(push, 'A2A 0.3'),
  });
}

function readSetPushConfig(params: Fields): Operation {
  return {
    op: 'createPushConfig',
    id: params.requiredString('taskId', MAX_ID),
    config: readLegacyPushConfig(params.requiredFields('pushNotificationConfig'), 'A2A 0.3'),
  };
}

/** `id`; `task_id`, as our own texts have it, will do. */
function readId(params: Fields): string {
  const isOurs = params.get('id') === undefined && params.get('task_id') !== undefined;
  return params.requiredString(isOurs ? 'task_id' : 'id', MAX_ID);
}

function readHistory(fields: Fields): number | undefined {
  return fields.integer('historyLength', 0, MAX_INT32);
}
