import { assertNever } from '../../relay/contract/assert-never.ts';
import type { InboxContact } from '../../relay/contract/contact.ts';
import type { InboxPresence } from '../../relay/contract/event-schema.ts';
import type { CatchUp, Change } from './catch-up.ts';
import { openInboxStream, type InboxFrame } from './inbox-stream.ts';
import { listPicture } from './list-picture.ts';
import type { Logger } from './options.ts';
import type { RelayClient } from './relay-client.ts';
import type { Timing } from './timing.ts';
import { troubleOf, type Trouble } from './trouble.ts';

export interface FollowOptions {
  /** The relay's base URL. */
  readonly relay: string;
  readonly apiKey: string;
  readonly deskId: string;
  readonly client: RelayClient;
  readonly catchUp: CatchUp;
  readonly timing: Timing;
  readonly logger: Logger;
  /** The picture is complete, and the stream keeps it so. */
  readonly onCaughtUp: () => void;
  /** The picture was listed anew. */
  readonly onReload: () => void;
  readonly onChange: (change: Change) => void;
  readonly onPresence: (presence: InboxPresence) => void;
  readonly onContact: (contact: InboxContact) => void;
}

/**
 * Follows the inbox stream once, from where the last time ended, and lists the picture whenever the relay says that
 * this is needed. Never rejects: whatever goes wrong is what it ends with.
 * @returns why it ended; undefined when `signal` ended it
 */
export async function followInbox(options: FollowOptions, signal: AbortSignal): Promise<Trouble | undefined> {
  if (signal.aborted) return undefined;
  const { client, catchUp, timing, logger } = options;
  const ending = Promise.withResolvers<Trouble | undefined>();
  const late = setTimeout(() => ending.resolve({ kind: 'timed_out' }), timing.requestMs);
  const silent = setTimeout(() => ending.resolve({ kind: 'silent' }), timing.silenceMs);
  let listing = new AbortController();

  function fail(error: unknown): void {
    const trouble = troubleOf(error);
    if (trouble.kind === 'fault') logger.error({ err: error }, 'the inbox stream was given up after a fault');
    ending.resolve(trouble);
  }

  function list(cursor: string): void {
    clearTimeout(late);
    listing.abort();
    listing = new AbortController();
    const { signal: current } = listing;
    catchUp.begin(cursor);
    listPicture(client, current)
      .then((views) => {
        if (current.aborted) return;
        const changes = catchUp.listed(views);
        options.onReload();
        changes.forEach(options.onChange);
        options.onCaughtUp();
      })
      .catch((error: unknown) => {
        if (!current.aborted) fail(error);
      });
  }

  function onFrame(frame: InboxFrame): void {
    switch (frame.type) {
      case 'handoff': {
        const change = catchUp.take(frame.id, frame.handoff);
        if (change !== undefined) options.onChange(change);
        return;
      }
      case 'resync':
        return list(frame.cursor);
      case 'presence':
        return options.onPresence(frame.presence);
      case 'contact':
        catchUp.pass(frame.id);
        return options.onContact(frame.contact);
      case 'unreadable':
        logger.warn({ frame: frame.name, id: frame.id }, 'a frame of the inbox stream cannot be read');
        // what it told is in the lists, too
        if (frame.name === 'handoff' || frame.name === 'contact') return list(frame.id);
        if (frame.name === 'resync') ending.resolve({ kind: 'unreadable' });
        return;
      default:
        assertNever(frame);
    }
  }

  const resumesAt = catchUp.cursor();
  const stop = (): void => ending.resolve(undefined);
  signal.addEventListener('abort', stop, { once: true });
  let close: (() => void) | undefined;
  try {
    close = openInboxStream({
      ...options,
      ...(resumesAt === undefined ? {} : { lastEventId: resumesAt }),
      onOpen() {
        if (resumesAt === undefined) return;
        clearTimeout(late);
        options.onCaughtUp();
      },
      onSign: () => silent.refresh(),
      onFrame,
      onEnd: fail,
    });
  } catch (error) {
    fail(error);
  }
  const trouble = await ending.promise;
  signal.removeEventListener('abort', stop);
  clearTimeout(late);
  clearTimeout(silent);
  close?.();
  listing.abort();
  catchUp.abandon();
  return trouble;
}
