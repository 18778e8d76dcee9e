import type { ListTasksResponse, SendMessageResponse, StreamResponse, Task } from '../../contract/a2a.ts';
import type { Json } from '../../contract/json.ts';
import type { Dialect } from '../dialect.ts';
import { decodeOperation } from './decode.ts';

/**
 * A2A 1.0. The canonical model is its ProtoJSON already, and has no room for undefined or null members: there is nothing
 * to encode.
 */
export const A2A_1_0: Dialect = {
  name: 'A2A 1.0',
  decode: decodeOperation,
  encode(answer) {
    switch (answer.kind) {
      case 'sent':
        return asJson(answer.response);
      case 'task':
        return asJson(answer.task);
      case 'tasks':
        return asJson(answer.page);
      case 'handoffs':
        throw new Error('A2A 1.0 has no list of handoffs');
    }
  },
  frames:
    () =>
    ({ response }) => [asJson(response)],
  extensionsHeader: 'a2a-extensions',
  refusesInStream: () => false,
};

/** The types of the model say more than Json does, and nothing else. */
function asJson(value: SendMessageResponse | Task | ListTasksResponse | StreamResponse): Json {
  return value as unknown as Json;
}
