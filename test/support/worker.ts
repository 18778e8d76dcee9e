import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { z } from 'zod';
import type { Task } from '../../relay/contract/a2a.ts';
import type { RelayOptions } from '../../relay/server.ts';
import { message, type A2aClient } from './a2a-client.ts';
import { agentrelay, type TestProcess } from './app-process.ts';
import { QUICK_LEASES } from './leases.ts';
import { relayForTest, type TestRelay } from './relay.ts';
import { tempDir } from './temp-dir.ts';

/** A relay, frank who sends to bot, and whatever is to work for bot. */
export interface WorkPlace {
  readonly relay: TestRelay;
  readonly frank: A2aClient;
  readonly bot: A2aClient;
  /** A folder of this test's own. */
  readonly dir: string;
  readonly keyFile: string;
  /** Hands text to bot. Nobody waits for the answer. */
  send(text: string): Promise<string>;
  /** The handoff, once it is in that state. */
  reaches(id: string, state: string): Promise<Task>;
  /** A worker of bot's, in a process of its own. */
  worker(exec: string, more?: readonly string[], options?: WorkerProcessOptions): TestProcess;
  /** A script in a file; the command that runs it. */
  script(javaScript: string): string;
}

export interface WorkerProcessOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Where the worker finds the relay, when not where it is. */
  readonly url?: string;
}

/** A line that a worker prints for a handoff with --json. */
const finishedSchema = z.looseObject({ task_id: z.string(), attempt: z.int(), outcome: z.string(), ms: z.number() });
export type Finished = z.infer<typeof finishedSchema>;

export async function workPlace(options: Partial<RelayOptions> = {}): Promise<WorkPlace> {
  const relay = await relayForTest({ leases: QUICK_LEASES, ...options });
  const bot = await relay.agent('bot', { kind: 'a2a' });
  const frank = await relay.agent('frank');
  const dir = tempDir();
  const keyFile = join(dir, 'key');
  writeFileSync(keyFile, `${bot.apiKey}\n`);
  let count = 0;
  let scripts = 0;
  return {
    relay,
    frank,
    bot,
    dir,
    keyFile,
    async send(text) {
      const params = { ...message(`m${++count}`, { parts: [{ text }] }), configuration: { returnImmediately: true } };
      const answer = await frank.call('SendMessage', params, { at: '/a/bot' });
      if (!('task' in answer)) throw new Error('a message, where a task was expected');
      return answer.task.id;
    },
    async reaches(id, state) {
      let task: Task | undefined;
      const look = async (): Promise<string> => {
        task = await frank.call('GetTask', { id });
        return task.status.state;
      };
      await expect.poll(look, { timeout: 15_000, interval: 20 }).toBe(`TASK_STATE_${state}`);
      if (task === undefined) throw new Error('no task');
      return task;
    },
    worker: (exec, more = [], { env = {}, url = relay.url } = {}) =>
      agentrelay(dir, ['worker', '--relay', url, '--key-file', keyFile, '--exec', exec, '--json', ...more], { env }),
    script(javaScript) {
      const file = join(dir, `script-${++scripts}.mjs`);
      writeFileSync(
        file,
        `const read = async () => JSON.parse(await new Response(process.stdin).text());\n${javaScript}`,
      );
      return `"${process.execPath}" "${file}"`;
    },
  };
}

/** What a worker has printed so far. */
export function finished({ stdout }: Pick<TestProcess, 'stdout'>): readonly Finished[] {
  return lines(stdout()).map((line) => finishedSchema.parse(JSON.parse(line)));
}

/** The lines of a file that a command appends to. */
export function linesOf(file: string): readonly string[] {
  return existsSync(file) ? lines(readFileSync(file, 'utf8')) : [];
}

function lines(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '');
}

/** The words of a task's status. */
export function statusText({ status }: Task): string {
  return (status.message?.parts ?? []).flatMap((part) => ('text' in part ? [part.text] : [])).join('');
}
