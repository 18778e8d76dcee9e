import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { StreamResponse, Task } from '@a2a-js/sdk';
import { Role, TaskState } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import { expect, test } from '@playwright/test';
import { z } from 'zod';
import { ARTIFACT_MEDIA_TYPE } from '../../relay/contract/artifact.ts';
import { threadSchema } from '../../relay/contract/desk-api.ts';
import { TempHome } from '../support/home.ts';
import { launchShell, SHELLS } from '../support/launch-shell.ts';
import { ROOT } from '../support/project-root.ts';
import { sdkClient } from '../support/sdk.ts';
import { driveWindow } from '../support/window-driver.ts';

const run = promisify(execFile);
const SUBJECT = 'Rate limiter returns 500 instead of 429';
const DIFF = [
  '--- a/src/limit.ts',
  '+++ b/src/limit.ts',
  '@@ -18,3 +18,3 @@ export function rateLimit(store, opts)',
  '   const key = opts.keyOf(req); // naïve “key” 🔑',
  '-  const bucket = await store.take(key);',
  '+  const bucket = await store.take(key).catch(exhausted);',
  '   if (bucket.remaining < 0) {\r',
  '',
].join('\n');
const FIX = DIFF.replace('catch(exhausted)', 'catch(() => exhausted(opts))');

const registeredSchema = z.object({ api_key: z.string() });

for (const name of SHELLS) {
  test(`${name}: a foreign agent hands a diff to a person, and both ends agree to the byte`, async ({ browser }) => {
    using home = new TempHome();
    await using shell = await launchShell(name, home.path, browser);
    const window = driveWindow(shell.page);
    await expect.poll(() => window.connection()).toContain('Connected');
    const agent = await newAgent(home.path, shell.lines.get('Relay') ?? '');

    // the agent sends, and streams what becomes of it
    const frames: StreamResponse[] = [];
    const stream = collect(agent, frames);
    await expect(window.row(SUBJECT)).toBeVisible();
    await expect(window.group('Needs you')).toContainText('mia@acme');

    // the person reads and accepts
    await window.openThread(SUBJECT);
    await expect(window.message('The limiter throws')).toBeVisible();
    await expect(window.artifactFrames).toContainText('const bucket = await store.take(key).catch(exhausted);');
    await window.accept();
    await expect.poll(() => states(frames)).toEqual([TaskState.TASK_STATE_SUBMITTED, TaskState.TASK_STATE_WORKING]);

    // replies in the window, and completes from the terminal with a diff of their own
    await window.reply('Looking at it. Does staging run the same store version?');
    await expect.poll(() => statusTexts(frames)).toEqual(['Looking at it. Does staging run the same store version?']);
    const taskId = taskOf(frames).id;
    const fix = join(home.path, 'fix.diff');
    await writeFile(fix, FIX);
    await agentrelay(home.path, 'complete', taskId, '-m', 'It fails closed now.', '--diff', fix);
    await stream;
    await expect.poll(() => window.threadState()).toBe('Completed');
    expect(states(frames).at(-1)).toBe(TaskState.TASK_STATE_COMPLETED);

    // both ends have the same words and the same bytes
    const task = await agent.getTask({ tenant: '', id: taskId, historyLength: undefined });
    const { events } = threadSchema.parse(JSON.parse(await agentrelay(home.path, 'show', taskId)));
    const words = events.flatMap((event) => ('message' in event && event.message ? event.message.parts : []));
    expect([...task.history, task.status?.message].flatMap((message) => message?.parts ?? []).map(textOf)).toEqual(
      words.map((part) => ('text' in part ? part.text : '')),
    );
    expect(diffOf(taskOf(frames).history[0]?.parts[1])).toBe(DIFF);
    expect(words).toContainEqual({
      data: { type: 'file_diff', diff: DIFF, path: 'src/limit.ts' },
      mediaType: ARTIFACT_MEDIA_TYPE,
    });
    expect(streamedDiffs(frames)).toEqual([FIX]);
    expect(task.artifacts.flatMap(({ parts }) => parts).map(diffOf)).toEqual([FIX]);
    expect(await shell.quit()).toBe(0);
  });

  test(`${name}: a person declines with a reason, and the agent is told why`, async ({ browser }) => {
    using home = new TempHome();
    await using shell = await launchShell(name, home.path, browser);
    const window = driveWindow(shell.page);
    await expect.poll(() => window.connection()).toContain('Connected');
    const frames: StreamResponse[] = [];
    const stream = collect(await newAgent(home.path, shell.lines.get('Relay') ?? ''), frames);
    await expect(window.row(SUBJECT)).toBeVisible();
    await window.openThread(SUBJECT);
    await window.decline('The limiter belongs to the platform team.');
    await stream;
    await expect.poll(() => window.threadState()).toBe('Declined');
    expect(states(frames)).toEqual([TaskState.TASK_STATE_SUBMITTED, TaskState.TASK_STATE_REJECTED]);
    expect(statusTexts(frames)).toEqual(['The limiter belongs to the platform team.']);
  });
}

/** The official SDK's client for a new agent, at the door of the app's own account. */
async function newAgent(home: string, url: string): Promise<Client> {
  const { api_key: apiKey } = registeredSchema.parse(
    JSON.parse(await agentrelay(home, 'register', 'mia', '--kind', 'a2a')),
  );
  return sdkClient({ url, apiKey, card: '/a/frank/agent-card.json' });
}

async function agentrelay(home: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await run(join(ROOT, 'bin/agentrelay'), [...args, '--home', home, '--json']);
  return stdout;
}

async function collect(agent: Client, frames: StreamResponse[]): Promise<void> {
  const message = {
    messageId: 'handoff-1',
    contextId: '',
    taskId: '',
    role: Role.ROLE_USER,
    parts: [
      part({ $case: 'text', value: `${SUBJECT}\n\nThe limiter throws when its store is slow.` }, ''),
      part({ $case: 'data', value: { type: 'file_diff', path: 'src/limit.ts', diff: DIFF } }, ARTIFACT_MEDIA_TYPE),
    ],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
  for await (const frame of agent.sendMessageStream({
    tenant: '',
    message,
    configuration: undefined,
    metadata: undefined,
  })) {
    frames.push(frame);
  }
}

type Content = NonNullable<Task['history'][number]['parts'][number]['content']>;
type SdkPart = Task['history'][number]['parts'][number];

function part(content: Content, mediaType: string): SdkPart {
  return { content, mediaType, filename: '', metadata: undefined };
}

function textOf(value: SdkPart | undefined): string {
  return value?.content?.$case === 'text' ? value.content.value : '';
}

const diffSchema = z.object({ diff: z.string() });
function diffOf(value: SdkPart | undefined): string {
  return value?.content?.$case === 'data' ? diffSchema.parse(value.content.value).diff : '';
}

function taskOf(frames: readonly StreamResponse[]): Task {
  const [first] = frames;
  if (first?.payload?.$case !== 'task') throw new Error('the first frame is no task');
  return first.payload.value;
}

/** The states that the stream told, without repetition. */
function states(frames: readonly StreamResponse[]): readonly (TaskState | undefined)[] {
  const told = frames.flatMap(({ payload }) =>
    payload?.$case === 'task' || payload?.$case === 'statusUpdate' ? [payload.value.status?.state] : [],
  );
  return told.filter((state, index) => state !== told[index - 1]);
}

function statusTexts(frames: readonly StreamResponse[]): readonly string[] {
  return frames.flatMap(({ payload }) =>
    payload?.$case === 'statusUpdate' && payload.value.status?.message
      ? payload.value.status.message.parts.map(textOf)
      : [],
  );
}

function streamedDiffs(frames: readonly StreamResponse[]): readonly string[] {
  return frames.flatMap(({ payload }) =>
    payload?.$case === 'artifactUpdate' ? (payload.value.artifact?.parts ?? []).map(diffOf) : [],
  );
}
