import type { InboxHandoff } from '../../../relay/contract/event-schema.ts';
import { formatHandle, parseHandle } from '../../../relay/contract/handle.ts';
import type { HandoffView } from '../../../relay/contract/handoff.ts';
import { RelayError } from '../../../relay/contract/reasons.ts';

/**
 * Handles of a relay, as they are called on this desk: `name@alias`. What a relay calls itself is its own word, and two may
 * say the same; the alias is ours. Whatever relay a handle claims to be on, it is the one that it came from.
 */
export interface Names {
  /** What the relay is called here. */
  readonly alias: string;
  /** A handle of the relay as it is called here. */
  local(handle: string): string;
  /** A handle of this desk as the relay calls it. RECIPIENT_NOT_FOUND for one that is on another relay. */
  wire(handle: string): string;
  localView(view: HandoffView): HandoffView;
  localFrame(frame: InboxHandoff): InboxHandoff;
}

/** @param relayName what the relay calls itself */
export function createNames(alias: string, relayName: string): Names {
  const local = (handle: string): string => formatHandle(parseHandle(handle)?.name ?? handle, alias);
  const localView = (view: HandoffView): HandoffView => ({
    ...view,
    sender: local(view.sender),
    recipient: local(view.recipient),
  });
  return {
    alias,
    local,
    wire(handle) {
      const parsed = parseHandle(handle);
      if (parsed?.relay === alias) return formatHandle(parsed.name, relayName);
      const message = `${handle} is not on the relay ${alias}. Act as an account on its relay, or join that relay.`;
      throw new RelayError('RECIPIENT_NOT_FOUND', message);
    },
    localView,
    localFrame: (frame) => ({ ...frame, handoff: localView(frame.handoff) }),
  };
}
