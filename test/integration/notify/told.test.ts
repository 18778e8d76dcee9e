import { expect, test } from 'vitest';
import { createEngine } from '../../../relay/handoffs/engine.ts';
import { tellOf } from '../../../relay/notify/told.ts';
import type { TaskLog } from '../../../relay/store/ports.ts';
import { storeForTest } from '../../support/stores.ts';
import { ALICE, artifact, create, FRANK, message, PARTIES, says, step } from '../../support/threads.ts';

const handlesOf = () => Promise.resolve({ sender: 'alice@acme', recipient: 'frank@acme' });
const old = { generation: 'A2A 0.3', wakeUp: false } as const;

/** A thread with a word of alice's of so many characters, which frank answers. */
async function thread(length: number) {
  const { store } = await storeForTest();
  const engine = createEngine({ asksConsent: false, log: store.log, clock: Date.now });
  await engine.create(PARTIES, create());
  await engine.act(PARTIES.id, ALICE, () => [says('sender', 'x'.repeat(length))]);
  const steps = [step('accept', { sessionId: 's' }), artifact(), step('ask', { message: message('Which one?') })];
  const { handoff, events } = await engine.act(PARTIES.id, FRANK, () => steps);
  let reads = 0;
  const log: Pick<TaskLog, 'readConversation' | 'threadSize'> = {
    threadSize: (id) => store.log.threadSize(id),
    readConversation: (id, shown) => {
      reads += 1;
      return store.log.readConversation(id, shown);
    },
  };
  const event = events.at(-1);
  if (event === undefined) throw new Error('no event');
  const told = await tellOf(old, { handoff, event, party: 'sender' }, { log, handlesOf });
  if (!('task' in told)) throw new Error('no task');
  return { task: told.task, reads };
}

test('before 1.0, a webhook is told the whole task as of the change', async () => {
  const { task, reads } = await thread(1000);
  expect(task).toMatchObject({
    status: { state: 'TASK_STATE_INPUT_REQUIRED', message: { parts: [{ text: 'Which one?' }] } },
    history: [{ role: 'ROLE_USER' }, { parts: [{ text: 'x'.repeat(1000) }] }],
    artifacts: [{ artifactId: 'a' }],
  });
  expect(reads).toBe(1);
});

test('of a large task it is told what has changed, and nothing else of it is read', async () => {
  const { task, reads } = await thread(1_000_001);
  expect(task).toMatchObject({
    status: { state: 'TASK_STATE_INPUT_REQUIRED', message: { parts: [{ text: 'Which one?' }] } },
  });
  expect(JSON.stringify(task).length).toBeLessThan(2000);
  expect(reads).toBe(0);
});
