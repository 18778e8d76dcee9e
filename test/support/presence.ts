import { message, type A2aClient } from './a2a-client.ts';

let calls = 0;

/**
 * Resolves when the relay knows that an agent has nothing open any more: a blocking call to it has nobody to wait for.
 * A relay that never finds out makes the test time out.
 */
export async function isGone(from: A2aClient, to: A2aClient): Promise<void> {
  for (;;) {
    const leaving = new AbortController();
    const messageId = `is ${to.name} there? ${++calls}`;
    const answered = from
      .call('SendMessage', message(messageId), { at: `/a/${to.name}`, signal: leaving.signal })
      .then(() => true)
      .catch(() => false);
    await isStored(from, messageId);
    // an answer that does not wait has left with the commit, before this one
    if (await Promise.race([answered, from.call('ListTasks', { pageSize: 1 }).then(() => false)])) return;
    leaving.abort();
    await answered;
  }
}

/** Resolves when a handoff that this client sent is in the store. */
export async function isStored(client: A2aClient, messageId: string): Promise<void> {
  for (;;) {
    const { tasks } = await client.call('ListTasks', { pageSize: 100, historyLength: 1 });
    if (tasks.some(({ history }) => history?.[0]?.messageId === messageId)) return;
  }
}
