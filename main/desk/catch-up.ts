import type { InboxItem } from '../../relay/contract/desk-api.ts';
import type { InboxHandoff } from '../../relay/contract/event-schema.ts';
import type { ThreadEvent } from '../../relay/contract/handoff.ts';
import type { Listed } from './list-picture.ts';
import type { Picture } from './picture.ts';

/** A row that changed, with the event that changed it. */
export interface Change {
  readonly item: InboxItem;
  readonly event: ThreadEvent;
}

/**
 * Puts the frames of an inbox stream and the lists that the relay is asked for into one picture. Frames that arrive
 * while a list is on its way wait for it: the list may be older than they are.
 */
export interface CatchUp {
  /** Where a new stream resumes; undefined when the picture must be listed anew. */
  cursor(): string | undefined;
  /** What is held is too old or of another store. Until `listed`, frames wait. */
  begin(cursor: string): void;
  /** A frame of the stream, with its id. */
  take(id: string, frame: InboxHandoff): Change | undefined;
  /** A frame of the stream that tells of something else: a new stream resumes after it. */
  pass(id: string): void;
  /** The list that was asked for after `begin`: the changes that came since, in order. An abandoned one is ignored. */
  listed(listed: Listed): readonly Change[];
  /** The stream ended: a list that is still on its way will not come. */
  abandon(): void;
}

export function createCatchUp(picture: Picture): CatchUp {
  let cursor: string | undefined;
  let waiting: { cursor: string; readonly frames: InboxHandoff[] } | undefined;

  function apply(frame: InboxHandoff): Change | undefined {
    const item = picture.take(frame);
    return item && { item, event: frame.event };
  }

  return {
    cursor: () => cursor,
    begin(at) {
      cursor = undefined;
      waiting = { cursor: at, frames: [] };
    },
    take(id, frame) {
      if (waiting !== undefined) {
        waiting.cursor = id;
        waiting.frames.push(frame);
        return undefined;
      }
      // before there was any list; the relay begins with a resync, and the list will hold it
      if (cursor === undefined) return undefined;
      cursor = id;
      return apply(frame);
    },
    pass(id) {
      if (waiting !== undefined) waiting.cursor = id;
      else if (cursor !== undefined) cursor = id;
    },
    listed({ views, moreClosed }) {
      if (waiting === undefined) return [];
      const { frames } = waiting;
      cursor = waiting.cursor;
      waiting = undefined;
      picture.replace(views, moreClosed);
      return frames.map(apply).filter((change) => change !== undefined);
    },
    abandon() {
      waiting = undefined;
    },
  };
}
