import { setTimeout as wait } from 'node:timers/promises';
import { EventSource } from 'eventsource';
import { inboxHandoffSchema, type InboxHandoff } from '../../../relay/contract/event-schema.ts';
import type { ThreadEvent } from '../../../relay/contract/handoff.ts';
import type { JsonObject } from '../../../relay/contract/json.ts';
import { answered, scriptFor, type Act } from './scripts.ts';

/**
 * An agent that does what the id of a message says, so that a compatibility kit can be pointed at a relay. It is an
 * ordinary agent of the relay and uses nothing but its public wire: the inbox stream and `tasks/update`.
 */
export interface ScriptedAgent {
  /** Resolves when it hears of what comes. */
  readonly ready: Promise<void>;
  /** Resolves when what it had begun has ended. */
  close(): Promise<void>;
}

export interface ScriptedAgentOptions {
  /** The relay's base URL. */
  readonly relay: string;
  readonly apiKey: string;
  /** Told of what could not be done; the task is left as it is. */
  readonly onError: (error: unknown) => void;
}

export function runScriptedAgent({ relay, apiKey, onError }: ScriptedAgentOptions): ScriptedAgent {
  const authorization = `Bearer ${apiKey}`;
  const stop = new AbortController();
  const underWay = new Set<Promise<void>>();
  const opened = Promise.withResolvers<void>();

  async function update(taskId: string, params: JsonObject): Promise<void> {
    const response = await fetch(new URL('/a2a', relay), {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tasks/update',
        params: { task_id: taskId, history_length: 0, ...params },
      }),
      signal: stop.signal,
    });
    const answer = (await response.json()) as { error?: { message: string } };
    if (answer.error !== undefined) throw new Error(answer.error.message);
  }

  async function play(taskId: string, acts: readonly Act[]): Promise<void> {
    try {
      for (const act of acts) {
        if ('waitMs' in act) await wait(act.waitMs, undefined, { signal: stop.signal });
        else await update(taskId, act.update);
      }
    } catch (error) {
      if (!stop.signal.aborted) onError(error);
    }
  }

  const url = new URL('/v1/inbox/events?desk_id=scripted-agent&take_over=1', relay);
  const source = new EventSource(url, {
    fetch: (target, init) => fetch(target, { ...init, headers: { ...init.headers, authorization } }),
  });
  source.addEventListener('open', () => opened.resolve());
  source.addEventListener('handoff', ({ data }) => {
    const handoff = inboxHandoffSchema.parse(JSON.parse(String(data)));
    const acts = actsFor(handoff);
    if (acts.length === 0) return;
    const playing = play(handoff.task_id, acts).finally(() => underWay.delete(playing));
    underWay.add(playing);
  });

  return {
    ready: opened.promise,
    async close() {
      source.close();
      stop.abort();
      await Promise.all(underWay);
    },
  };
}

/** It acts on a new task, and on the answer to what it asked. */
function actsFor({ handoff, event }: InboxHandoff): readonly Act[] {
  if (handoff.role !== 'recipient') return [];
  if (event.kind === 'created') return scriptFor(event.message.messageId, textOf(event));
  // a sender's message that moves the state answers a question
  if (event.kind === 'message' && event.actor === 'sender' && event.state !== undefined) return answered(textOf(event));
  return [];
}

function textOf(event: Extract<ThreadEvent, { kind: 'created' | 'message' }>): string {
  return event.message.parts.map((part) => ('text' in part ? part.text : '')).join('');
}
