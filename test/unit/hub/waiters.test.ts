import { describe, expect, test } from 'vitest';
import { createWaiters, type Listener } from '../../../relay/hub/waiters.ts';

const NEVER = new AbortController().signal;

/** Whether a promise is settled by the end of this turn of the event loop. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void promise.then(() => {
    settled = true;
  });
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  return settled;
}

describe('a listener', () => {
  test('waits until its key is woken', async () => {
    const waiters = createWaiters<string>();
    const next = waiters.listen('a', NEVER).next();
    waiters.wake('b');
    expect(await isSettled(next)).toBe(false);
    waiters.wake('a');
    expect(await isSettled(next)).toBe(true);
  });

  test('misses no news that comes while it does not wait', async () => {
    const waiters = createWaiters<string>();
    const listener = waiters.listen('a', NEVER);
    waiters.wake('a');
    waiters.wake('a');
    expect(await isSettled(listener.next())).toBe(true);
    expect(await isSettled(listener.next())).toBe(false);
  });

  test('hears nothing from before it listened', async () => {
    const waiters = createWaiters<string>();
    waiters.wake('a');
    expect(await isSettled(waiters.listen('a', NEVER).next())).toBe(false);
  });

  test('is woken together with all others of its key', async () => {
    const waiters = createWaiters<string>();
    const waiting = [1, 2, 3].map(() => waiters.listen('a', NEVER).next());
    waiters.wake('a');
    expect(await isSettled(Promise.all(waiting))).toBe(true);
  });

  test.each<[string, (listener: Listener, leave: AbortController) => void]>([
    ['its signal aborts', (_listener, leave) => leave.abort()],
    ['it is closed', (listener) => listener.close()],
  ])('waits no longer once %s', async (_when, stop) => {
    const waiters = createWaiters<string>();
    const leave = new AbortController();
    const listener = waiters.listen('a', leave.signal);
    const next = listener.next();
    stop(listener, leave);
    expect(await isSettled(next)).toBe(true);
    expect(await isSettled(listener.next())).toBe(true);
    expect(waiters.size).toBe(0);
  });

  test('never waits when its signal has aborted before', async () => {
    const waiters = createWaiters<string>();
    expect(await isSettled(waiters.listen('a', AbortSignal.abort()).next())).toBe(true);
    expect(waiters.size).toBe(0);
  });
});

describe('what is kept', () => {
  test('is one entry a key, and none when nobody listens any more', () => {
    const waiters = createWaiters<string>();
    const [one, two, other] = ['a', 'a', 'b'].map((key) => waiters.listen(key, NEVER));
    expect(waiters.size).toBe(2);
    one?.close();
    expect(waiters.size).toBe(2);
    two?.close();
    other?.close();
    expect(waiters.size).toBe(0);
  });

  test('is not touched by closing twice, even when somebody new listens', async () => {
    const waiters = createWaiters<string>();
    const old = waiters.listen('a', NEVER);
    old.close();
    const next = waiters.listen('a', NEVER).next();
    old.close();
    waiters.wake('a');
    expect(await isSettled(next)).toBe(true);
  });

  test('holds no listener on a signal that lives on', () => {
    const waiters = createWaiters<string>();
    const { signal } = new AbortController();
    let listening = 0;
    const counted = new Proxy(signal, {
      get(target, name) {
        if (name === 'addEventListener') listening++;
        if (name === 'removeEventListener') listening--;
        const member: unknown = Reflect.get(target, name);
        return typeof member === 'function' ? (member.bind(target) as unknown) : member;
      },
    });
    for (let round = 0; round < 10; round++) waiters.listen('a', counted).close();
    expect(listening).toBe(0);
  });
});
