import { inboxHandoffSchema, type InboxHandoff } from '../../relay/contract/event-schema.ts';
import type { A2aClient, CallOptions } from './a2a-client.ts';
import { SseStream, type SseEvent } from './sse.ts';

/** An open inbox stream of an agent, as its desk reads it. */
export class Inbox {
  readonly sse: SseStream;

  constructor(sse: SseStream) {
    this.sse = sse;
  }

  /** The next frame of that name; others are passed over. */
  async next(name: string): Promise<SseEvent> {
    for (;;) {
      const event = await this.sse.next();
      if (event === undefined) throw new Error(`the inbox stream ended before "${name}"`);
      if (event.event === name) return event;
    }
  }

  /** The next event of a handoff for which `wanted` says so; receipts are among them. */
  async handoff(
    wanted: (handoff: InboxHandoff) => boolean = () => true,
  ): Promise<InboxHandoff & { readonly id: string }> {
    for (;;) {
      const { id = '', data } = await this.next('handoff');
      const handoff = inboxHandoffSchema.parse(JSON.parse(data));
      if (wanted(handoff)) return { ...handoff, id };
    }
  }

  /** Breaks the connection, as a cable does. */
  destroy(): void {
    this.sse.destroy();
  }
}

export interface InboxOptions {
  readonly deskId?: string;
  readonly takeOver?: boolean;
  readonly lastEventId?: string;
  readonly headers?: CallOptions['headers'];
}

/** Opens an inbox stream. Fails when the relay does not open one. */
export async function openInbox(agent: A2aClient, options: InboxOptions = {}): Promise<Inbox> {
  const { deskId = `desk of ${agent.handle}`, takeOver = false, lastEventId, headers = {} } = options;
  const query = new URLSearchParams({ desk_id: deskId, ...(takeOver && { take_over: '1' }) });
  const response = await agent.open('GET', `/v1/inbox/events?${query}`, {
    headers: { ...headers, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) },
  });
  if (response.statusCode !== 200) {
    response.resume();
    throw new Error(`no inbox stream: HTTP ${response.statusCode}`);
  }
  return new Inbox(new SseStream(response));
}
