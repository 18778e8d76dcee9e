import { EXTENSION_URI, TERMINAL_STATES } from '../contract/handoff.ts';
import { RelayError } from '../contract/reasons.ts';
import { projectReceipt, projectUpdate, type TaskOptions } from '../handoffs/project.ts';
import type { Handoff } from '../store/ports.ts';
import type { Frame, Frames } from './answer.ts';
import type { Call, RelayContext } from './context.ts';
import { offerAll, offerEvent } from './offered.ts';
import type { SendOperation, SubscribeOperation } from './operation.ts';
import { see, seeCommitted, taskOf, withHistory, type Seen } from './read-task.ts';
import { send } from './send-message.ts';
import { isSettled } from './settled.ts';

/**
 * SendStreamingMessage (A2A 1.0.1 section 3.1.2): the task, then every change, until it is closed or needs input. A
 * client that leaves changes nothing but its own stream.
 */
export async function streamMessage(context: RelayContext, call: Call, operation: SendOperation): Promise<Frames> {
  const sent = await send(context, call, operation);
  if ('answer' in sent) return only({ response: { message: sent.answer }, isLast: true });
  const options = withHistory(operation.historyLength, true);
  return frames(context, call, await seeCommitted(context, call, sent.committed, options), options, isSettled);
}

/**
 * SubscribeToTask (A2A 1.0.1 section 3.1.6): the task as it stands, then every change, until it is closed. It stays open
 * while the task needs input. UNSUPPORTED_OPERATION when the task is closed already.
 */
export async function subscribe(context: RelayContext, call: Call, { id }: SubscribeOperation): Promise<Frames> {
  const options = withHistory(undefined, true);
  const seen = await see(context, call, id, options);
  if (isClosed(seen.handoff)) {
    throw new RelayError(
      'UNSUPPORTED_OPERATION',
      `It is ${seen.handoff.state}: nothing more will happen. Use GetTask.`,
      {
        metadata: { state: seen.handoff.state },
      },
    );
  }
  return frames(context, call, seen, options, isClosed);
}

function isClosed(handoff: Handoff): boolean {
  return TERMINAL_STATES.has(handoff.state);
}

/** The snapshot and the cursor behind it are of one moment, so no chunk is lost between them and none comes twice. */
async function* frames(
  context: RelayContext,
  call: Call,
  seen: Seen,
  options: TaskOptions,
  isOver: (handoff: Handoff) => boolean,
): AsyncGenerator<Frame, void, void> {
  const leave = context.presence.enter(call.principal.agent.id);
  try {
    const isEnd = isOver(seen.handoff);
    yield { response: { task: taskOf(seen, options) }, isLast: isEnd };
    // each time the consumer has come back for more: the frame has left
    if (options.historyLength !== 0) offerAll(context, call, seen);
    if (isEnd) return;
    const knowsUs = call.extensions?.has(EXTENSION_URI) === true;
    for await (const { handoff, event } of context.hub.follow(seen.handoff, call.signal)) {
      const update =
        projectUpdate(handoff, event, seen.party) ?? (knowsUs ? projectReceipt(handoff, event, seen.party) : undefined);
      if (update !== undefined) {
        yield { response: update, isLast: isOver(handoff) };
        offerEvent(context, call, handoff, event, seen.party);
      }
      if (isOver(handoff)) return;
    }
  } finally {
    leave();
  }
}

async function* only(frame: Frame): AsyncGenerator<Frame, void, void> {
  yield frame;
}
