import { afterAll } from 'vitest';
import type { Task } from '../../relay/contract/a2a.ts';
import type { JsonObject } from '../../relay/contract/json.ts';
import type { RelayOptions } from '../../relay/server.ts';
import type { A2aClient } from './a2a-client.ts';
import { startRelay, type TestRelay } from './relay.ts';

/** A relay for all tests of a file, on which frank sends and alice is sent to. */
export interface FrankAndAlice {
  readonly relay: TestRelay;
  readonly frank: A2aClient;
  readonly alice: A2aClient;
  /** A message id that was not used before. */
  newId(): string;
  /** A message of frank's, or of another, to alice; a task has to come of it. */
  send(params: JsonObject, client?: A2aClient): Promise<Task>;
  /** A step of alice's, or of another. */
  update(task_id: string, params: JsonObject, client?: A2aClient): Promise<JsonObject>;
}

/** Alice's endpoint. */
export const at = '/a/alice';

/** Call it while the file is loaded; the relay is closed after the file's last test. */
export async function frankAndAlice(options: Partial<RelayOptions> = {}): Promise<FrankAndAlice> {
  const relay = await startRelay(options);
  afterAll(() => relay.close());
  const alice = await relay.agent('alice');
  const frank = await relay.agent('frank');
  let count = 0;
  return {
    relay,
    frank,
    alice,
    newId: () => `m${++count}`,
    async send(params, client = frank) {
      const answer = await client.call('SendMessage', params, { at });
      if (!('task' in answer)) throw new Error('a message, where a task was expected');
      return answer.task;
    },
    update: (task_id, params, client = alice) => client.extension('tasks/update', { task_id, ...params }),
  };
}
