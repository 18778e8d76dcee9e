import { expect } from 'vitest';
import { message, type A2aClient } from './a2a-client.ts';

let count = 0;

/** Whoever did what before: a handoff still gets from one to the other, and the card is still there. */
export async function stillServes(from: A2aClient, to: A2aClient): Promise<void> {
  const params = { ...message(`still ${++count}`), configuration: { returnImmediately: true } };
  const sent = await from.call('SendMessage', params, { at: `/a/${to.name}` });
  if (!('task' in sent)) throw new Error('no task');
  expect((await to.call('GetTask', { id: sent.task.id })).id).toBe(sent.task.id);
  const { status, body } = await from.http('GET', `/a/${to.name}/agent-card.json`);
  expect([status, JSON.parse(body)]).toEqual([200, expect.objectContaining({ name: expect.any(String) })]);
}

/** Sockets of this process, at either end: what an attack has opened is to be gone afterwards. */
export function openSockets(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
}
