import { describe, expect, test } from 'vitest';
import { EXTENSION_URI } from '../../../../relay/contract/handoff.ts';
import type { JsonObject } from '../../../../relay/contract/json.ts';
import { fieldsOf, message } from '../../../support/a2a-client.ts';
import { at, frankAndAlice } from '../../../support/frank-and-alice.ts';

/** What a message holds, and the extensions that go with it (A2A 1.0.1 sections 3.2.6 and 4.1). */

const { frank, alice, newId, send } = await frankAndAlice({ blockMs: 3_600_000 });

describe('what is sent', () => {
  test('comes back as it was, in every kind of part', async () => {
    const parts = [
      { text: 'é😀\n\u0000"\\', mediaType: 'text/markdown' },
      { text: '' },
      { raw: 'aGk=', filename: 'a.txt', mediaType: 'text/plain' },
      { url: 'https://example.com/a?b=c#d', metadata: { k: [1, { x: null }] } },
      { data: null },
      { data: 1.5e300 },
      { data: { deep: [[[{ a: -0.25, b: false, c: '', constructor: 1, toString: 2 }]]] } },
      { data: [] },
    ];
    const metadata = { mine: { n: 12345678901, list: [1, 'two', null, { three: true }] } };
    const task = await send(message(newId(), { parts, metadata, extensions: ['urn:x'], referenceTaskIds: ['t-0'] }));
    for (const client of [frank, alice]) {
      const [first] = (await client.call('GetTask', { id: task.id }, { at })).history ?? [];
      expect(first).toMatchObject({ parts, metadata, extensions: ['urn:x'], referenceTaskIds: ['t-0'] });
    }
  });

  test('may be in any form that ProtoJSON allows, and leaves in one', async () => {
    const messageId = newId();
    const task = await send({
      message: {
        message_id: messageId,
        context_id: 'snake',
        role: 1,
        parts: [
          { raw: '-_-_', media_type: 'image/png', text: null },
          { text: 'x', url: null, unknown: 1 },
        ],
        task_id: null,
        reference_task_ids: [],
        unknown: {},
      },
      configuration: { history_length: '5', return_immediately: true, accepted_output_modes: ['text/plain'] },
      unknown: true,
    });
    expect(task.contextId).toBe('snake');
    expect(task.history).toMatchObject([
      { messageId, role: 'ROLE_USER', parts: [{ raw: '+/+/', mediaType: 'image/png' }, { text: 'x' }] },
    ]);
    expect(task.history?.[0]).not.toHaveProperty('referenceTaskIds');
    expect(await frank.call('ListTasks', { context_id: 'snake', page_size: 5, status: 1 })).toMatchObject({
      pageSize: 5,
      totalSize: 1,
    });
  });

  // https://github.com/a2aproject/a2a-python/issues/876, https://github.com/archestra-ai/archestra/pull/7599
  test('has to have an id, a role and parts: all that is missing is named at once', async () => {
    for (const [sent, fields] of [
      [{}, ['message', 'message.messageId', 'message.role', 'message.parts']],
      [{ message: {} }, ['message.messageId', 'message.role', 'message.parts']],
      [{ message: { messageId: '', role: 'user', parts: [] } }, ['message.messageId', 'message.role', 'message.parts']],
      [{ message: { messageId: 'm', role: 'ROLE_UNSPECIFIED', parts: [{}] } }, ['message.role', 'message.parts[0]']],
    ] as const) {
      for (const method of ['SendMessage', 'SendStreamingMessage']) {
        const error = await frank.fail(method, sent as JsonObject, { at });
        expect(error.code).toBe(-32602);
        expect(fieldsOf(error).toSorted()).toEqual([...fields].toSorted());
      }
    }
  });
});

describe('an extension', () => {
  test.each([
    [EXTENSION_URI, EXTENSION_URI],
    [`urn:other,${EXTENSION_URI}`, EXTENSION_URI],
    [` ${EXTENSION_URI} , urn:other`, EXTENSION_URI],
    ['urn:other', undefined],
    [`${EXTENSION_URI}x`, undefined],
    ['', undefined],
    [undefined, undefined],
  ])('asked for as %j is named back as %j', async (asked, named) => {
    const headers = { 'a2a-extensions': asked };
    for (const method of ['ListTasks', 'GetTask']) {
      const answer = await frank.rpc(method, { id: 'x' }, { at, headers });
      expect(answer.headers['a2a-extensions']).toBe(named);
    }
    const stream = await frank.stream('SendStreamingMessage', message(newId()), { at, headers });
    expect(stream.sse.response.headers['a2a-extensions']).toBe(named);
    stream.destroy();
  });
});
