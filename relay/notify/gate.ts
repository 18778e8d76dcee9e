/** Lets only so many through at once. */
export interface Gate {
  /** Runs work when there is room: of all, and of this key. In the order of asking, as far as keys let it. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

/** @param limits `perKey` keeps one slow host from taking all the room */
export function createGate(limits: { readonly total: number; readonly perKey: number }): Gate {
  const inside = new Map<string, number>();
  const waiting: { readonly key: string; readonly enter: () => void }[] = [];
  let total = 0;

  const hasRoom = (key: string): boolean => total < limits.total && (inside.get(key) ?? 0) < limits.perKey;

  function enter(key: string): void {
    total += 1;
    inside.set(key, (inside.get(key) ?? 0) + 1);
  }

  function leave(key: string): void {
    total -= 1;
    const left = (inside.get(key) ?? 1) - 1;
    if (left === 0) inside.delete(key);
    else inside.set(key, left);
    const next = waiting.findIndex((one) => hasRoom(one.key));
    if (next >= 0) waiting.splice(next, 1)[0]?.enter();
  }

  return {
    async run(key, work) {
      if (hasRoom(key)) enter(key);
      else {
        await new Promise<void>((resolve) => {
          waiting.push({
            key,
            enter() {
              enter(key);
              resolve();
            },
          });
        });
      }
      try {
        return await work();
      } finally {
        leave(key);
      }
    },
  };
}
