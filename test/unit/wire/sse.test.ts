import { describe, expect, test } from 'vitest';
import { parseSseStream } from '@a2a-js/sdk';
import { dataFrame, eventFrame, PING, SSE_HEADERS } from '../../../relay/wire/sse.ts';

/** The fields of each event that a reader by the letter of WHATWG HTML 9.2.6 would see, blank lines included. */
function blocks(stream: string): string[][] {
  return stream.split('\n\n').map((block) => block.split('\n').filter((line) => line !== '' && !line.startsWith(':')));
}

test('a data frame is one line and carries no id', () => {
  expect(dataFrame('{"a":"x\\ny"}')).toBe('data: {"a":"x\\ny"}\n\n');
});

test('an inbox frame names its event, and its id when it can be resumed', () => {
  expect(eventFrame({ event: 'handoff', id: 'e1-42', data: '{}' })).toBe('id: e1-42\nevent: handoff\ndata: {}\n\n');
  expect(eventFrame({ event: 'presence', data: '{}' })).toBe('event: presence\ndata: {}\n\n');
});

describe('a heartbeat', () => {
  test('between frames makes no event, not even an empty one', () => {
    const stream = eventFrame({ event: 'handoff', id: '1', data: '1' }) + PING + PING + dataFrame('2') + PING;
    expect(blocks(stream)).toEqual([['id: 1', 'event: handoff', 'data: 1'], ['data: 2'], []]);
  });

  test('is skipped by the official client', async () => {
    const response = new Response(PING + dataFrame('{"n":1}') + PING + dataFrame('{"n":2}'), { headers: SSE_HEADERS });
    const events: string[] = [];
    for await (const event of parseSseStream(response)) events.push(event.data);
    expect(events).toEqual(['{"n":1}', '{"n":2}']);
  });
});
