import type { Message } from '../../contract/a2a.ts';
import type { JsonObject } from '../../contract/json.ts';
import type { Operation, SendOperation } from '../../operations/operation.ts';
import { readAnyPart } from '../a2a-0.3/part.ts';
import { readLegacyRole } from '../a2a-0.3/message.ts';
import { readParts } from '../a2a-1.0/message.ts';
import { readHandoffMeta, withAcceptedModes, withSharedMetadata } from '../agentrelay/meta.ts';
import { compact, MAX_ID, MAX_INT32, type Fields } from '../fields.ts';
import { readLegacyPushConfig } from '../push-config.ts';
import { readCall, type Methods } from '../read-call.ts';

const METHODS: Methods = new Map<string, (params: Fields) => Operation>([
  ['tasks/send', (params) => readSend('send', params)],
  ['tasks/sendSubscribe', (params) => readSend('stream', params)],
  [
    'tasks/pushNotification/set',
    (params) => ({
      op: 'createPushConfig',
      id: params.requiredString('id', MAX_ID),
      config: readLegacyPushConfig(params.requiredFields('pushNotificationConfig'), 'A2A 0.1'),
    }),
  ],
  ['tasks/pushNotification/get', (params) => ({ op: 'getPushConfig', id: params.requiredString('id', MAX_ID) })],
]);

/** The methods that this generation alone has. */
export const METHODS_0_1: ReadonlySet<string> = new Set(METHODS.keys());

/**
 * A call of A2A 0.1 (specification v0.1.0 sections 6 and 7) that no later generation has. The id of a task is the
 * client's: it is an alias, by which that client goes on.
 *
 * @throws RelayError INVALID_PARAMS naming all that is wrong (at most 20 things), METHOD_NOT_FOUND,
 *   and nothing else
 */
export function decode01(method: string, params: JsonObject | undefined): Operation {
  return readCall(METHODS, '0.1', method, params);
}

function readSend(op: 'send' | 'stream', params: Fields): SendOperation {
  const alias = params.requiredString('id', MAX_ID);
  const contextId = params.string('sessionId', MAX_ID);
  const fields = params.requiredFields('message');
  const meta = readHandoffMeta(params, fields);
  const modes = params.strings('acceptedOutputModes', MAX_ID);
  const message = compact<Message>({
    // it has none: the relay makes one
    messageId: '',
    role: readLegacyRole(fields),
    parts: readParts(fields, readAnyPart),
    metadata: fields.object('metadata'),
    contextId,
  });
  const push = params.fields('pushNotification');
  return compact<SendOperation>({
    op,
    alias,
    message: withAcceptedModes(withSharedMetadata(message, params), modes),
    meta,
    // without a number there is no history
    historyLength: params.integer('historyLength', 0, MAX_INT32) ?? 0,
    returnImmediately: false,
    push: push && readLegacyPushConfig(push, 'A2A 0.1'),
  });
}
