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
        return answer.response;
      case 'task':
        return answer.task;
      case 'tasks':
        return answer.page;
      case 'pushConfig':
        return answer.config;
      case 'pushConfigs':
        return { configs: answer.configs, nextPageToken: answer.nextPageToken };
      case 'nothing':
        return {};
      case 'card':
        return answer.card;
      case 'handoffs':
        throw new Error('A2A 1.0 has no list of handoffs');
    }
  },
  frames:
    () =>
    ({ response }) => [response],
  extensionsHeader: 'a2a-extensions',
  refusesInStream: () => false,
};
