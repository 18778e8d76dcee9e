/**
 * The context bridge: a preload and its page live in worlds that share the DOM and no objects, and talk by synchronous
 * events with a name that only they know. What crosses is copied; functions and promises get a stand-in on the other
 * side. These functions run in the page: their source is put into it, so they stand alone.
 */
type Crossing =
  | readonly ['value', unknown]
  | readonly ['function' | 'promise', number]
  | readonly ['error', string]
  | readonly ['array', readonly Crossing[]]
  | readonly ['object', readonly (readonly [string, Crossing])[]];

type Packet =
  | { readonly op: 'call'; readonly id: number; readonly args: readonly Crossing[] }
  | { readonly op: 'return'; readonly ok: boolean; readonly value: Crossing }
  | { readonly op: 'settle'; readonly id: number; readonly ok: boolean; readonly value: Crossing };

type Callable = (...args: unknown[]) => unknown;

/** One world's end of the bridge. */
export interface Link {
  /** Lets the other world call a function by the number that comes back; the first is 0. */
  offer(callable: Callable): number;
  /** Calls what the other world offers. */
  call(id: number, args: readonly unknown[]): unknown;
}

/** Ties this world to the other one. */
export function linkWorlds(channel: string, side: 'preload' | 'page'): Link {
  const other = side === 'preload' ? 'page' : 'preload';
  // taken now: the page's own code comes later and may replace them
  const dispatch = window.dispatchEvent.bind(window);
  const Message = CustomEvent;
  const functions: Callable[] = [];
  const pending = new Map<number, { resolve: (value: unknown) => void; reject: (reason: unknown) => void }>();
  const returned: { ok: boolean; value: Crossing }[] = [];
  let promises = 0;

  const send = (packet: Packet): void => void dispatch(new Message(channel + other, { detail: packet }));
  const failure = (error: unknown): Crossing => ['error', error instanceof Error ? error.message : String(error)];

  const leave = (value: unknown): Crossing => {
    if (typeof value === 'function') return ['function', functions.push(value as Callable) - 1];
    if (value instanceof Error) return failure(value);
    if (value instanceof Promise) {
      const id = promises++;
      value.then(
        (result: unknown) => send({ op: 'settle', id, ok: true, value: leave(result) }),
        (error: unknown) => send({ op: 'settle', id, ok: false, value: failure(error) }),
      );
      return ['promise', id];
    }
    if (Array.isArray(value)) return ['array', value.map(leave)];
    if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
      return ['object', Object.entries(value).map(([key, member]) => [key, leave(member)] as const)];
    }
    return ['value', structuredClone(value)];
  };

  const enter = (crossing: Crossing): unknown => {
    switch (crossing[0]) {
      case 'value':
        return crossing[1];
      case 'error':
        return new Error(crossing[1]);
      case 'array':
        return crossing[1].map(enter);
      case 'object':
        return Object.fromEntries(crossing[1].map(([key, member]) => [key, enter(member)]));
      case 'function':
        return (...args: unknown[]) => call(crossing[1], args);
      case 'promise':
        return new Promise((resolve, reject) => pending.set(crossing[1], { resolve, reject }));
    }
  };

  const call = (id: number, args: readonly unknown[]): unknown => {
    send({ op: 'call', id, args: args.map(leave) });
    const answer = returned.pop();
    if (!answer) throw new Error('electron double: the other world does not answer');
    const value = enter(answer.value);
    if (!answer.ok) throw value;
    return value;
  };

  window.addEventListener(channel + side, (event) => {
    const packet = (event as CustomEvent<Packet>).detail;
    switch (packet.op) {
      case 'call':
        try {
          const value = functions[packet.id]?.(...packet.args.map(enter));
          send({ op: 'return', ok: true, value: leave(value) });
        } catch (error) {
          send({ op: 'return', ok: false, value: failure(error) });
        }
        break;
      case 'return':
        returned.push(packet);
        break;
      case 'settle': {
        const settled = pending.get(packet.id);
        pending.delete(packet.id);
        if (packet.ok) settled?.resolve(enter(packet.value));
        else settled?.reject(enter(packet.value));
      }
    }
  });

  return { offer: (callable) => functions.push(callable) - 1, call };
}

/** The page's end: puts what a preload exposes on `window`, for good. */
export function receiveApis(link: Link): void {
  const freeze = (value: unknown): unknown => {
    if (typeof value === 'object' && value !== null) Object.values(value).forEach(freeze);
    return Object.freeze(value);
  };
  link.offer((key, api) => {
    if (String(key) in window) {
      throw new Error('Cannot bind an API on top of an existing property on the window object');
    }
    Object.defineProperty(window, String(key), { value: freeze(api), enumerable: true });
  });
}
