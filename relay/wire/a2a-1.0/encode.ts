import type { ListTasksResponse, SendMessageResponse, StreamResponse, Task } from '../../contract/a2a.ts';

/**
 * The canonical model is A2A 1.0's ProtoJSON already, and its types have no room for undefined or null members: what is
 * left to do is to write it down. The text can go into any number of frames (relay/wire/json-rpc.ts, successBody).
 */

/** The result of GetTask and CancelTask. */
export function encodeTask(task: Task): string {
  return JSON.stringify(task);
}

/** One event of SendStreamingMessage and SubscribeToTask. */
export function encodeStreamResponse(response: StreamResponse): string {
  return JSON.stringify(response);
}

/** The result of SendMessage. */
export function encodeSendMessageResponse(response: SendMessageResponse): string {
  return JSON.stringify(response);
}

/** The result of ListTasks, with all four of its members even where they are empty. */
export function encodeListTasks(response: ListTasksResponse): string {
  return JSON.stringify(response);
}
