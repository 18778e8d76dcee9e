import { describe, expect, test } from 'vitest';
import { EXTENSION_URI } from '../../../relay/contract/handoff.ts';
import type { JsonObject } from '../../../relay/contract/json.ts';
import { decode01 } from '../../../relay/wire/a2a-0.1/decode.ts';
import { A2A_0_1 } from '../../../relay/wire/a2a-0.1/dialect.ts';
import { decode03 } from '../../../relay/wire/a2a-0.3/decode.ts';
import { A2A_0_3 } from '../../../relay/wire/a2a-0.3/dialect.ts';
import { decodeOperation } from '../../../relay/wire/a2a-1.0/decode.ts';
import { A2A_1_0 } from '../../../relay/wire/a2a-1.0/dialect.ts';
import { writeNotification } from '../../../relay/wire/notification.ts';
import { wrongFields } from './refused.ts';
import { TASK } from './samples.ts';

const create = (config: JsonObject) => decodeOperation('CreateTaskPushNotificationConfig', { taskId: 't', ...config });
const SECRET = { token: 'whose', authentication: { scheme: 'Bearer', credentials: 's3cret' } };

describe('a webhook in 1.0', () => {
  test('is read with all that it has, under either spelling', () => {
    const config = { id: 'c', url: 'https://hook', ...SECRET, generation: 'A2A 1.0', wakeUp: false };
    expect(create({ id: 'c', url: 'https://hook', ...SECRET })).toEqual({ op: 'createPushConfig', id: 't', config });
    expect(decodeOperation('CreateTaskPushNotificationConfig', { task_id: 't', url: 'https://hook' })).toEqual({
      op: 'createPushConfig',
      id: 't',
      config: { url: 'https://hook', generation: 'A2A 1.0', wakeUp: false },
    });
  });

  test('may ask for wake-ups alone', () => {
    const metadata = { [EXTENSION_URI]: { push: 'wake_up' }, other: 1 };
    expect(create({ url: 'https://hook', metadata })).toMatchObject({ config: { wakeUp: true } });
  });

  test('is got, listed and deleted by the ids of the task and its own', () => {
    const both = { taskId: 't', id: 'c', tenant: 'bob' };
    const read = { tenant: 'bob', id: 't', configId: 'c' };
    expect(decodeOperation('GetTaskPushNotificationConfig', both)).toEqual({ op: 'getPushConfig', ...read });
    expect(decodeOperation('DeleteTaskPushNotificationConfig', both)).toEqual({ op: 'deletePushConfig', ...read });
    const list = { taskId: 't', pageSize: '7', pageToken: 'x' };
    expect(decodeOperation('ListTaskPushNotificationConfigs', list)).toEqual({
      op: 'listPushConfigs',
      id: 't',
      pageSize: 7,
      pageToken: 'x',
    });
  });

  test.each<[JsonObject, readonly string[]]>([
    [{}, ['url']],
    [{ url: 'https://hook', token: 'a\nb' }, ['token']],
    [{ url: 'https://hook', token: ' padded ' }, ['token']],
    [{ url: 'https://hook', token: 'ключ' }, ['token']],
    [{ url: 'https://hook', token: 'x'.repeat(4097) }, ['token']],
    [{ url: `https://hook/${'x'.repeat(2048)}` }, ['url']],
    [{ url: 'https://hook', authentication: {} }, ['authentication.scheme']],
    [{ url: 'https://hook', authentication: { scheme: 'Bearer\r\nx: y' } }, ['authentication.scheme']],
    [
      { url: 'https://hook', authentication: { scheme: 'Bearer', credentials: '\u0000' } },
      ['authentication.credentials'],
    ],
    [{ url: 'https://hook', authentication: 'Bearer x' }, ['authentication']],
    [{ url: 'https://hook', id: 7 }, ['id']],
    [{ url: 'https://hook', metadata: { [EXTENSION_URI]: { push: 'all' } } }, [`metadata.${EXTENSION_URI}.push`]],
  ])('%j is refused for its %j', (config, fields) => {
    expect(wrongFields(() => create(config))).toEqual(fields);
  });

  test('without the ids that it needs is refused', () => {
    expect(wrongFields(() => decodeOperation('GetTaskPushNotificationConfig', {}))).toEqual(['taskId', 'id']);
    expect(wrongFields(() => decodeOperation('DeleteTaskPushNotificationConfig', { id: 'c' }))).toEqual(['taskId']);
    expect(
      wrongFields(() => decodeOperation('ListTaskPushNotificationConfigs', { taskId: 't', pageSize: 101 })),
    ).toEqual(['pageSize']);
  });

  test('is written without anything that the schema does not have', () => {
    const config = { id: 'c', taskId: 't', url: 'https://hook', authentication: { scheme: 'Bearer' } };
    expect(A2A_1_0.encode({ kind: 'pushConfig', config }, {})).toEqual(config);
    const page = { kind: 'pushConfigs', configs: [config], nextPageToken: '' } as const;
    expect(A2A_1_0.encode(page, {})).toEqual({ configs: [config], nextPageToken: '' });
    expect(A2A_1_0.encode({ kind: 'nothing' }, {})).toEqual({});
  });
});

describe('a webhook in 0.3', () => {
  const set = (pushNotificationConfig: JsonObject) =>
    decode03('tasks/pushNotificationConfig/set', { taskId: 't', pushNotificationConfig });

  test('is read with the first of its schemes', () => {
    const authentication = { schemes: ['Bearer', 'Basic'], credentials: 's3cret' };
    expect(set({ url: 'https://hook', token: 'whose', authentication })).toEqual({
      op: 'createPushConfig',
      id: 't',
      config: { url: 'https://hook', ...SECRET, generation: 'A2A 0.3', wakeUp: false },
    });
    expect(set({ url: 'https://hook', authentication: { schemes: [] } })).not.toHaveProperty('config.authentication');
  });

  test('comes with a message as well', () => {
    const message = { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'hi' }] };
    const configuration = { pushNotificationConfig: { url: 'https://hook' } };
    const push = { url: 'https://hook', generation: 'A2A 0.3', wakeUp: false };
    expect(decode03('message/send', { message, configuration })).toMatchObject({ push });
  });

  test('with credentials for no scheme is refused', () => {
    const fields = wrongFields(() => set({ url: 'https://hook', authentication: { credentials: 'x' } }));
    expect(fields).toEqual(['pushNotificationConfig.authentication.schemes']);
  });

  test('is got by its name, or by none', () => {
    const get = (params: JsonObject) => decode03('tasks/pushNotificationConfig/get', params);
    expect(get({ id: 't' })).toEqual({ op: 'getPushConfig', id: 't' });
    expect(get({ id: 't', pushNotificationConfigId: 'c' })).toEqual({ op: 'getPushConfig', id: 't', configId: 'c' });
    expect(wrongFields(() => decode03('tasks/pushNotificationConfig/delete', { id: 't' }))).toEqual([
      'pushNotificationConfigId',
    ]);
  });

  test('is written in its own form, a list as a bare one, and nothing as null', () => {
    const config = { id: 'c', taskId: 't', url: 'https://hook', authentication: { scheme: 'Bearer' } };
    const written = {
      taskId: 't',
      pushNotificationConfig: { id: 'c', url: 'https://hook', authentication: { schemes: ['Bearer'] } },
    };
    expect(A2A_0_3.encode({ kind: 'pushConfig', config }, {})).toEqual(written);
    expect(A2A_0_3.encode({ kind: 'pushConfigs', configs: [config], nextPageToken: '' }, {})).toEqual([written]);
    expect(A2A_0_3.encode({ kind: 'nothing' }, {})).toBeNull();
  });
});

describe('a webhook in 0.1', () => {
  test('is set for a task, or with one, and has no name', () => {
    const config = { url: 'https://hook', generation: 'A2A 0.1', wakeUp: false };
    const params = { id: 't', pushNotificationConfig: { url: 'https://hook' } };
    expect(decode01('tasks/pushNotification/set', params)).toEqual({ op: 'createPushConfig', id: 't', config });
    const message = { role: 'user', parts: [{ type: 'text', text: 'hi' }] };
    const send = decode01('tasks/send', { id: 't', message, pushNotification: { url: 'https://hook' } });
    expect(send).toMatchObject({ alias: 't', push: config });
    const answer = { kind: 'pushConfig', config: { id: 'c', taskId: 'real', url: 'https://hook' } } as const;
    expect(A2A_0_1.encode(answer, { alias: 't' })).toEqual({
      id: 't',
      pushNotificationConfig: { url: 'https://hook' },
    });
  });
});

describe('a notification', () => {
  test('is a frame in 1.0, and a bare task before', () => {
    const response = { task: TASK };
    expect(writeNotification('A2A 1.0', response)).toEqual({
      contentType: 'application/a2a+json',
      version: '1.0',
      body: JSON.stringify(response),
    });
    const old = writeNotification('A2A 0.3', response);
    expect([old.contentType, old.version]).toEqual(['application/json', '0.3']);
    expect(JSON.parse(old.body)).toMatchObject({ kind: 'task', id: TASK.id });
    const oldest = writeNotification('A2A 0.1', response, 'mine');
    expect(oldest.version).toBe('0.1');
    expect(JSON.parse(oldest.body)).toMatchObject({ id: 'mine', sessionId: TASK.contextId });
    expect(oldest.body).not.toContain('"kind"');
  });
});
