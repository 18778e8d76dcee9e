import { describe, expect, test } from 'vitest';
import { legacyPushNotificationToV1StreamResponse } from '@a2a-js/sdk/compat/v0_3';
import { ListTasksResponse, SendMessageResponse, StreamResponse, Task as SdkTask } from '@a2a-js/sdk';
import type { StreamResponse as Frame, Task, TaskState } from '../../../relay/contract/a2a.ts';
import type { Answer, Frame as OneFrame } from '../../../relay/operations/answer.ts';
import { encodeTask03 } from '../../../relay/wire/a2a-0.3/encode.ts';
import { A2A_1_0 } from '../../../relay/wire/a2a-1.0/dialect.ts';
import {
  assertListTasks,
  assertSendMessageResponse,
  assertStreamResponse,
  assertTask,
} from '../../support/a2a-1.0-schema.ts';
import { ARTIFACT, MESSAGE, TASK } from './samples.ts';

const encode = (answer: Answer): object => A2A_1_0.encode(answer, {}) ?? {};
const encodeFrame = (frame: OneFrame): object => A2A_1_0.frames({})(frame)[0] ?? {};

/** As it arrives. */
const written = (json: object): unknown => JSON.parse(JSON.stringify(json));
const BARE: Task = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_SUBMITTED' } };

const FRAMES: readonly (readonly [string, Frame])[] = [
  ['a task', { task: TASK }],
  ['a bare task', { task: BARE }],
  ['a message', { message: MESSAGE }],
  ['a status update', { statusUpdate: { taskId: 't', contextId: 'c', status: TASK.status, metadata: { k: 1 } } }],
  [
    'an artifact chunk',
    { artifactUpdate: { taskId: 't', contextId: 'c', artifact: ARTIFACT, append: true, lastChunk: true } },
  ],
];

describe('1.0', () => {
  test.each([TASK, BARE])('a task passes a strict reader, unchanged', (task) => {
    const json = written(encode({ kind: 'task', task }));
    assertTask(json);
    expect(json).toEqual(task);
  });

  test.each(FRAMES)('%s in a stream passes a strict reader, unchanged', (_, frame) => {
    const json = written(encodeFrame({ response: frame, isLast: false }));
    assertStreamResponse(json);
    expect(json).toEqual(frame);
  });

  test('an answer to a send passes a strict reader', () => {
    const json = written(encode({ kind: 'sent', response: { task: TASK } }));
    assertSendMessageResponse(json);
    expect(json).toEqual({ task: TASK });
  });

  test('an empty page still has all four members', () => {
    const json = written(encode({ kind: 'tasks', page: { tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 } }));
    assertListTasks(json);
    expect(json).toEqual({ tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 });
  });

  test('a part of null stays one', () => {
    const json = written(encodeFrame({ response: { message: { ...MESSAGE, parts: [{ data: null }] } }, isLast: true }));
    assertStreamResponse(json);
    expect(json).toMatchObject({ message: { parts: [{ data: null }] } });
  });
});

describe('the official SDK reads it without loss', () => {
  test.each([TASK, BARE])('a task', (task) => {
    expect(SdkTask.toJSON(SdkTask.fromJSON(written(encode({ kind: 'task', task }))))).toEqual(task);
  });

  test.each(FRAMES)('%s in a stream', (_, frame) => {
    expect(
      StreamResponse.toJSON(StreamResponse.fromJSON(written(encodeFrame({ response: frame, isLast: false })))),
    ).toEqual(frame);
  });

  test('an answer to a send', () => {
    const text = JSON.stringify(encode({ kind: 'sent', response: { message: MESSAGE } }));
    expect(SendMessageResponse.toJSON(SendMessageResponse.fromJSON(JSON.parse(text)))).toEqual({ message: MESSAGE });
  });

  test('a page of tasks', () => {
    const page = { tasks: [TASK, BARE], nextPageToken: 'p', pageSize: 2, totalSize: 9 };
    expect(
      ListTasksResponse.toJSON(ListTasksResponse.fromJSON(written(encode({ kind: 'tasks', page: page })))),
    ).toEqual(page);
  });
});

describe('0.3', () => {
  test('a task has its shape', () => {
    const message = {
      kind: 'message',
      messageId: 'm-1',
      contextId: 'c-1',
      taskId: 't-1',
      role: 'user',
      parts: [
        { kind: 'text', text: 'Grüße \u{1f600} "quoted"\nline', metadata: { mediaType: 'text/markdown' } },
        { kind: 'file', file: { bytes: '+/8=', name: 'a.bin', mimeType: 'application/octet-stream' } },
        {
          kind: 'file',
          file: { uri: 'https://example.com/y.pdf', name: 'y.pdf', mimeType: 'application/pdf' },
          metadata: { page: 1 },
        },
        {
          kind: 'data',
          data: { type: 'link', url: 'https://example.com' },
          metadata: { mediaType: 'application/vnd.agentrelay.artifact+json' },
        },
        {
          kind: 'data',
          data: { value: [1, 'x', { deep: [null, 1.5e-7] }] },
          metadata: { data_part_compat: true },
        },
        { kind: 'data', data: { value: false }, metadata: { data_part_compat: true } },
      ],
      metadata: MESSAGE.metadata,
      extensions: MESSAGE.extensions,
      referenceTaskIds: ['t-0'],
    };
    expect(encodeTask03(TASK)).toEqual({
      kind: 'task',
      id: 't-1',
      contextId: 'c-1',
      status: {
        state: 'input-required',
        message: { ...message, messageId: 'm-2', role: 'agent' },
        timestamp: '2026-01-31T12:00:00.000Z',
      },
      artifacts: [{ ...ARTIFACT, parts: [{ kind: 'text', text: 'done' }] }],
      history: [message],
      metadata: TASK.metadata,
    });
  });

  test('a bare task has no other members', () => {
    expect(JSON.stringify(encodeTask03(BARE))).toBe(
      '{"kind":"task","id":"t","contextId":"c","status":{"state":"submitted"}}',
    );
  });

  test.each<[TaskState, string]>([
    ['TASK_STATE_SUBMITTED', 'submitted'],
    ['TASK_STATE_WORKING', 'working'],
    ['TASK_STATE_COMPLETED', 'completed'],
    ['TASK_STATE_FAILED', 'failed'],
    ['TASK_STATE_CANCELED', 'canceled'],
    ['TASK_STATE_INPUT_REQUIRED', 'input-required'],
    ['TASK_STATE_REJECTED', 'rejected'],
    ['TASK_STATE_AUTH_REQUIRED', 'auth-required'],
  ])('%s is called %s', (state, name) => {
    expect(encodeTask03({ ...BARE, status: { state } })['status']).toEqual({ state: name });
  });

  test("the official SDK's own translation turns it back into the same task", () => {
    // what 0.3 has no place for lies in metadata, which the SDK passes on
    const parts = MESSAGE.parts.map((part) => {
      if (!('text' in part || 'data' in part) || part.mediaType === undefined) return part;
      const { mediaType, ...rest } = part;
      return { ...rest, metadata: { mediaType } };
    });
    const history = [{ ...MESSAGE, parts }];
    const message = { ...MESSAGE, parts, messageId: 'm-2', role: 'ROLE_AGENT' };
    const read = legacyPushNotificationToV1StreamResponse(encodeTask03(TASK));
    expect(StreamResponse.toJSON(read)).toEqual({
      task: { ...TASK, history, status: { ...TASK.status, message } },
    });
  });
});
