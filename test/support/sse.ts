import type { IncomingMessage } from 'node:http';

/** One server-sent event, as the WHATWG reader gives it. */
export interface SseEvent {
  readonly event: string;
  /** The id that this very event carried, if it carried one. */
  readonly id: string | undefined;
  readonly data: string;
}

/** An open event stream, read to the letter (WHATWG HTML 9.2.6): a line of another kind is an error. */
export class SseStream {
  readonly response: IncomingMessage;
  /** Everything that arrived, byte for byte. */
  raw = '';
  /** Comments so far, heartbeats among them. */
  comments = 0;
  #rest = '';
  #pending: { event: string; id: string | undefined; data: string[] } = { event: '', id: undefined, data: [] };
  readonly #events: SseEvent[] = [];
  #hasEnded = false;
  #fault: Error | undefined;
  #wake: () => void = () => undefined;

  constructor(response: IncomingMessage) {
    this.response = response;
    response.setEncoding('utf8');
    response.on('data', (text: string) => {
      this.raw += text;
      this.#take(text);
      this.#wake();
    });
    const end = (): void => {
      this.#hasEnded = true;
      this.#wake();
    };
    response.on('end', end);
    response.on('close', end);
    response.on('error', () => undefined);
  }

  /** Whether the server ended it in an orderly way, or the connection broke. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** The next event; undefined when the stream has ended. */
  async next(): Promise<SseEvent | undefined> {
    for (;;) {
      if (this.#fault !== undefined) throw this.#fault;
      const event = this.#events.shift();
      if (event !== undefined || this.#hasEnded) return event;
      await this.news();
    }
  }

  /** Everything up to the end. */
  async rest(): Promise<SseEvent[]> {
    const all: SseEvent[] = [];
    for (let event = await this.next(); event !== undefined; event = await this.next()) all.push(event);
    return all;
  }

  /** Resolves when something arrives, be it a comment or the end. */
  news(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /** Breaks the connection, as a cable does. */
  destroy(): void {
    this.response.socket.destroy();
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#line(line);
  }

  #line(line: string): void {
    if (line === '') {
      this.#dispatch();
      return;
    }
    // all but CR and LF may stand in a line, U+2028 too
    const [, field, value = ''] = /^(data|event|id): (.*)$/s.exec(line) ?? [];
    if (line.startsWith(':')) this.comments++;
    else if (field === 'data') this.#pending.data.push(value);
    else if (field === 'event') this.#pending.event = value;
    else if (field === 'id') this.#pending.id = value;
    else this.#fault = new Error(`not a line of an event stream: ${JSON.stringify(line)}`);
  }

  #dispatch(): void {
    const { event, id, data } = this.#pending;
    this.#pending = { event: '', id: undefined, data: [] };
    if (data.length === 0) {
      // a blank line that ends no event: after an id, some readers make an empty event of it
      this.#fault = new Error('an event without data');
      return;
    }
    this.#events.push({ event, id, data: data.join('\n') });
  }
}
