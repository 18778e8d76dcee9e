import { setImmediate } from 'node:timers/promises';
import type { Commit, Handoff, PushConfig, PushStore, TaskLog } from '../store/ports.ts';
import { createDelivery, type Delivery, type DeliveryOptions } from './delivery.ts';
import { createGate } from './gate.ts';

/** Pushes what happens to tasks to the webhooks that were set for them. */
export interface Push {
  /** Begins with what was left over. */
  start(): Promise<void>;
  /**
   * Follows a webhook that was added, changed, or went back to an earlier version.
   * @param at the snapshot at its cursor, where it is at hand
   */
  follow(config: PushConfig, at?: Handoff): void;
  /** Forgets a webhook that was removed. What is being sent to it is broken off. */
  forget(pk: number): void;
  /** Breaks off what is being sent: it is sent again after the next start. Resolves when nothing is under way. */
  close(): Promise<void>;
}

export interface PushOptions extends Omit<DeliveryOptions, 'agentGate' | 'hostGate'> {
  readonly log: DeliveryOptions['log'] & Pick<TaskLog, 'onCommit'>;
  readonly store: DeliveryOptions['store'] & Pick<PushStore, 'live' | 'prune'>;
}

/** Webhooks that are called at once: of one agent, all, and of one host. */
const OF_ONE_AGENT = { total: Infinity, perKey: 8 };
const AT_ONCE = { total: 64, perKey: 4 };
/** How long the webhooks of a closed task can still be read, milliseconds. */
const KEPT_MS = 7 * 86_400_000;
const PRUNE_MS = 6 * 3_600_000;
/** How many are looked at after a start before others have a turn. */
const START_AT_ONCE = 50;

/** One delivery a webhook, woken by commits. */
export function createPush(options: PushOptions): Push {
  const { log, store, clock, logger } = options;
  const shared: DeliveryOptions = {
    ...options,
    agentGate: createGate(OF_ONE_AGENT),
    hostGate: createGate(AT_ONCE),
  };
  const deliveries = new Map<number, Delivery>();
  const byTask = new Map<string, Set<Delivery>>();
  let isClosed = false;

  const unsubscribe = log.onCommit((commits: readonly Commit[]) => {
    if (byTask.size === 0) return;
    for (const { handoff } of commits) for (const delivery of byTask.get(handoff.id) ?? []) delivery.wake();
  });
  const pruning = setInterval(() => void prune(), PRUNE_MS).unref();

  async function prune(): Promise<void> {
    try {
      await store.prune(clock() - KEPT_MS);
    } catch (error) {
      logger?.error({ err: error }, 'old webhooks could not be removed');
    }
  }

  function add(config: PushConfig, at?: Handoff): Delivery {
    forget(config.pk);
    const delivery = createDelivery(shared, config, () => drop(delivery), at);
    deliveries.set(config.pk, delivery);
    byTask.set(config.taskId, (byTask.get(config.taskId) ?? new Set()).add(delivery));
    return delivery;
  }

  function drop(delivery: Delivery): void {
    const { pk, taskId } = delivery.config;
    if (deliveries.get(pk) === delivery) deliveries.delete(pk);
    const ofTask = byTask.get(taskId);
    ofTask?.delete(delivery);
    if (ofTask?.size === 0) byTask.delete(taskId);
  }

  function forget(pk: number): void {
    const delivery = deliveries.get(pk);
    if (delivery === undefined) return;
    drop(delivery);
    void delivery.stop();
  }

  return {
    async start() {
      for (const [index, { config, isDue }] of (await store.live()).entries()) {
        if (isClosed) return;
        const delivery = add(config);
        if (isDue) delivery.wake();
        // others have a relay to use meanwhile
        if (index % START_AT_ONCE === 0) await setImmediate();
      }
      await prune();
    },
    follow(config, at) {
      if (!isClosed) add(config, at).wake();
    },
    forget,
    async close() {
      isClosed = true;
      unsubscribe();
      clearInterval(pruning);
      await Promise.all([...deliveries.values()].map((delivery) => delivery.stop()));
    },
  };
}
