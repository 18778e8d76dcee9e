import type { DeskEvent, DeskEventBody } from '../../relay/contract/desk-api.ts';

/** What the desk tells its clients: one numbered stream, of which the newest part is kept for those who come back. */
export interface EventLog {
  /** The number of the newest event; 0 before the first. */
  readonly head: () => number;
  append(body: DeskEventBody): void;
  /**
   * Calls `listener` with every event after `afterSeq`, in order and once each, never before this call has returned.
   * When some of them are no longer kept, or `afterSeq` is of an earlier run, a `reload` with the newest number takes
   * the place of all of them. Returns the unsubscribe function.
   */
  readonly subscribe: (afterSeq: number, listener: (event: DeskEvent) => void) => () => void;
  /** Nobody is called any more. */
  close(): void;
}

export interface EventLogOptions {
  /** How many events are kept at most, and of how many characters together; the newest one is kept, however large. */
  readonly capacity: { readonly events: number; readonly characters: number };
  /** A listener threw. It stays subscribed. */
  readonly onListenerError: (error: unknown) => void;
}

/** A reader is a cursor; what it has not read yet is in the log, not in a queue of its own. */
interface Reader {
  next: number;
  isReading: boolean;
  readonly listener: (event: DeskEvent) => void;
}

export function createEventLog({ capacity, onListenerError }: EventLogOptions): EventLog {
  const kept: { readonly event: DeskEvent; readonly size: number }[] = [];
  const readers = new Set<Reader>();
  let head = 0;
  let characters = 0;

  function forget(): void {
    while (kept.length > 1 && (kept.length > capacity.events || characters > capacity.characters)) {
      characters -= kept.shift()?.size ?? 0;
    }
  }

  function read(reader: Reader): void {
    // a listener that makes an event reads it in the loop below, after the one it is called with
    if (reader.isReading) return;
    reader.isReading = true;
    while (readers.has(reader) && reader.next <= head) {
      const event = kept[reader.next - (head - kept.length + 1)]?.event ?? { seq: head, type: 'reload' };
      reader.next = event.seq + 1;
      try {
        reader.listener(event);
      } catch (error) {
        onListenerError(error);
      }
    }
    reader.isReading = false;
  }

  return {
    head: () => head,
    append(body) {
      head += 1;
      const size = JSON.stringify(body).length;
      kept.push({ event: { ...body, seq: head }, size });
      characters += size;
      forget();
      for (const reader of readers) read(reader);
    },
    subscribe(afterSeq, listener) {
      const isKnown = afterSeq <= head;
      // one that is ahead of us counted the events of an earlier run: number 0 is kept by nobody
      const reader: Reader = { next: isKnown ? afterSeq + 1 : 0, isReading: false, listener };
      readers.add(reader);
      queueMicrotask(() => read(reader));
      return () => readers.delete(reader);
    },
    close: () => readers.clear(),
  };
}
