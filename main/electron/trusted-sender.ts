import { isAppUrl } from './app-url.ts';

/** What an IPC event says of who sent it. */
export interface SenderEvent {
  /** Null once the frame has navigated away or is gone. */
  readonly senderFrame: { readonly url: string; readonly parent: unknown; isDestroyed(): boolean } | null;
  readonly sender: { readonly id: number };
}

/**
 * Whether a message comes from the main frame of one of our windows, showing our own page.
 * @param owns whether an id is that of a window's web contents
 */
export function isTrustedSender({ senderFrame, sender }: SenderEvent, owns: (contentsId: number) => boolean): boolean {
  return (
    senderFrame !== null &&
    !senderFrame.isDestroyed() &&
    senderFrame.parent === null &&
    isAppUrl(senderFrame.url) &&
    owns(sender.id)
  );
}
