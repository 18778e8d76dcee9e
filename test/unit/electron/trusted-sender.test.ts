import { expect, test } from 'vitest';
import { isTrustedSender, type SenderEvent } from '../../../main/electron/trusted-sender.ts';

const frame = { url: 'app://bundle/index.html', parent: null, isDestroyed: () => false };
const owns = (id: number): boolean => id === 1;
const event = (senderFrame: SenderEvent['senderFrame'], id = 1): SenderEvent => ({ senderFrame, sender: { id } });

test('the main frame of our window is trusted while it shows our page', () => {
  expect(isTrustedSender(event(frame), owns)).toBe(true);
});

test.each([
  ['a frame that has navigated away', event(null)],
  ['a frame that is gone', event({ ...frame, isDestroyed: () => true })],
  ['a frame inside a page', event({ ...frame, parent: frame })],
  ['another page in our window', event({ ...frame, url: 'https://example.com/index.html' })],
  ['a page without an address', event({ ...frame, url: '' })],
  ['our page in a window that is not ours', event(frame, 2)],
])('%s is not', (_what, sender) => {
  expect(isTrustedSender(sender, owns)).toBe(false);
});

test('of a frame that is gone nothing else is read', () => {
  const gone = {
    isDestroyed: () => true,
    parent: null,
    get url(): string {
      throw new Error('Render frame was disposed before WebFrameMain could be accessed');
    },
  };
  expect(isTrustedSender(event(gone), owns)).toBe(false);
});
