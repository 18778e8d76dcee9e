import { describe, expect, it } from 'vitest';
import { readFrame } from '../../../main/desk/inbox-stream.ts';
import { sampleFrame } from './samples.ts';

describe('a frame of the inbox stream', () => {
  it('is read as what it is', () => {
    const handoff = sampleFrame('t1', 2);
    expect(readFrame('handoff', 'e-1', JSON.stringify(handoff))).toEqual({ type: 'handoff', id: 'e-1', handoff });
    expect(readFrame('resync', '', '{"cursor":"e-0"}')).toEqual({ type: 'resync', cursor: 'e-0' });
    expect(readFrame('presence', '', '{"handle":"alice@acme","online":false}')).toEqual({
      type: 'presence',
      presence: { handle: 'alice@acme', online: false },
    });
  });

  it('may say more than we know', () => {
    const frame = readFrame('resync', '', '{"cursor":"e-0","why":"RESTORED"}');
    expect(frame).toEqual({ type: 'resync', cursor: 'e-0' });
  });

  it.each([
    ['handoff', '{'],
    ['handoff', '{"task_id":"t1"}'],
    ['handoff', JSON.stringify({ ...sampleFrame('t1', 2), event: { kind: 'applause' } })],
    ['resync', '{}'],
    ['presence', '[]'],
    ['presence', ''],
  ] as const)('is unreadable, and keeps its place, when it is no %s: %s', (name, data) => {
    expect(readFrame(name, 'e-9', data)).toEqual({ type: 'unreadable', name, id: 'e-9' });
  });
});
