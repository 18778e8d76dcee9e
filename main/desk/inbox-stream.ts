import { EventSource } from 'eventsource';
import { assertNever } from '../../relay/contract/assert-never.ts';
import { inboxContactSchema, type InboxContact } from '../../relay/contract/contact.ts';
import {
  inboxHandoffSchema,
  inboxPresenceSchema,
  inboxResyncSchema,
  type InboxHandoff,
  type InboxPresence,
} from '../../relay/contract/event-schema.ts';
import { ConnectionError, troubleOf, type Trouble } from './trouble.ts';

/** What an inbox stream says (docs/extension.md, Inbox stream). */
export type InboxFrame =
  | { readonly type: 'handoff'; readonly id: string; readonly handoff: InboxHandoff }
  | { readonly type: 'resync'; readonly cursor: string }
  | { readonly type: 'presence'; readonly presence: InboxPresence }
  | { readonly type: 'contact'; readonly id: string; readonly contact: InboxContact }
  /** Something of a kind that we know, in a form that we do not. */
  | { readonly type: 'unreadable'; readonly name: FrameName; readonly id: string };
type FrameName = (typeof FRAMES)[number];
const FRAMES = ['handoff', 'resync', 'presence', 'contact'] as const;

export interface InboxStreamOptions {
  /** The relay's base URL. */
  readonly relay: string;
  readonly apiKey: string;
  /** Names this desk, so that its new stream takes the place of its dead one. */
  readonly deskId: string;
  /** Resumes after this frame. Left out, the relay begins with `resync`. */
  readonly lastEventId?: string;
  readonly onOpen: () => void;
  /** Something arrived, be it a comment: the relay lives. */
  readonly onSign: () => void;
  readonly onFrame: (frame: InboxFrame) => void;
  /** Once, when the stream ended by itself: with a ConnectionError, or with what one of the functions above threw. */
  readonly onEnd: (error: unknown) => void;
}

/**
 * Opens the stream once; when it ends it is the caller's to open another. `eventsource` would come back by itself, but
 * at a fixed pace, and it keeps the heartbeats (comments) to itself.
 * @returns closes the stream; nothing is called afterwards
 */
export function openInboxStream(options: InboxStreamOptions): () => void {
  const url = new URL('/v1/inbox/events', options.relay);
  url.searchParams.set('desk_id', options.deskId);

  let isOver = false;
  let trouble: Trouble | undefined;
  const source = new EventSource(url, {
    async fetch(target, init) {
      try {
        const response = await fetch(target, {
          ...init,
          redirect: 'error',
          headers: { ...init.headers, ...headersOf(options) },
        });
        trouble = troubleOfStatus(response.status);
        const { body, status, headers, redirected } = response;
        return { url: response.url, status, headers, redirected, body: body && withSigns(body, options.onSign) };
      } catch (error) {
        trouble = troubleOf(error);
        throw error;
      }
    },
  });

  function close(): void {
    isOver = true;
    source.close();
  }
  function end(error: unknown): void {
    if (isOver) return;
    close();
    options.onEnd(error);
  }
  /** An exception that leaves a listener of an EventTarget would end the process. */
  function guarded(listener: () => void): void {
    try {
      listener();
    } catch (error) {
      end(error);
    }
  }

  source.addEventListener('open', () => guarded(options.onOpen));
  for (const name of FRAMES) {
    source.addEventListener(name, ({ data, lastEventId }) =>
      guarded(() => options.onFrame(readFrame(name, lastEventId, String(data)))),
    );
  }
  source.addEventListener('error', ({ code }) => {
    end(new ConnectionError(trouble ?? { kind: code === undefined ? 'dropped' : 'unreadable' }));
  });
  return close;
}

/** A frame as it came, told apart and checked. */
export function readFrame(name: FrameName, id: string, data: string): InboxFrame {
  switch (name) {
    case 'handoff': {
      const handoff = inboxHandoffSchema.safeParse(parseJson(data)).data;
      return handoff === undefined ? { type: 'unreadable', name, id } : { type: name, id, handoff };
    }
    case 'resync': {
      const resync = inboxResyncSchema.safeParse(parseJson(data)).data;
      return resync === undefined ? { type: 'unreadable', name, id } : { type: name, cursor: resync.cursor };
    }
    case 'presence': {
      const presence = inboxPresenceSchema.safeParse(parseJson(data)).data;
      return presence === undefined ? { type: 'unreadable', name, id } : { type: name, presence };
    }
    case 'contact': {
      const contact = inboxContactSchema.safeParse(parseJson(data)).data;
      return contact === undefined ? { type: 'unreadable', name, id } : { type: name, id, contact };
    }
    default:
      return assertNever(name);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function headersOf({ apiKey, lastEventId }: InboxStreamOptions): Record<string, string> {
  return {
    authorization: `Bearer ${apiKey}`,
    ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
  };
}

function troubleOfStatus(status: number): Trouble | undefined {
  switch (status) {
    case 200:
      return undefined;
    case 401:
      return { kind: 'revoked' };
    case 409:
      return { kind: 'in_use' };
    default:
      return { kind: 'answered', with: `HTTP ${status}` };
  }
}

/** The body, with word of each chunk as it arrives. */
function withSigns(body: ReadableStream<Uint8Array>, onSign: () => void): ReadableStream<Uint8Array> {
  return body.pipeThrough(
    new TransformStream({
      transform(chunk, controller) {
        onSign();
        controller.enqueue(chunk);
      },
    }),
  );
}
