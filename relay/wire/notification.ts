import type { StreamResponse } from '../contract/a2a.ts';
import type { Generation } from '../contract/generation.ts';
import { encodeTask01 } from './a2a-0.1/encode.ts';
import { encodeFrame03 } from './a2a-0.3/encode.ts';

/** The body of a push notification, and what it is. */
export interface Notification {
  readonly contentType: string;
  /** What `A2A-Version` says of it. */
  readonly version: string;
  readonly body: string;
}

/**
 * A push notification in the form of a generation: 1.0 is sent one frame of a stream (A2A 1.0.1 section 4.3.3), those
 * before it a bare task (specification 0.3.0 section 9.5), as their SDKs do.
 * @param alias the client's own name for the task (A2A 0.1)
 */
export function writeNotification(generation: Generation, response: StreamResponse, alias?: string): Notification {
  switch (generation) {
    case 'A2A 1.0':
      return { contentType: 'application/a2a+json', version: '1.0', body: JSON.stringify(response) };
    case 'A2A 0.3': {
      const body = JSON.stringify(encodeFrame03({ response, isLast: false }));
      return { contentType: 'application/json', version: '0.3', body };
    }
    case 'A2A 0.1': {
      if (!('task' in response)) throw new Error('A2A 0.1 is told of tasks and of nothing else');
      return {
        contentType: 'application/json',
        version: '0.1',
        body: JSON.stringify(encodeTask01(response.task, alias)),
      };
    }
  }
}
