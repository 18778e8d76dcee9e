import type { FastifyBaseLogger } from 'fastify';
import { TERMINAL_STATES } from '../contract/handoff.ts';
import { partyOf } from '../handoffs/engine.ts';
import { blank, evolve } from '../handoffs/evolve.ts';
import type { Handles } from '../handoffs/project.ts';
import type { AgentId, Handoff, PushConfig, PushStore, TaskLog } from '../store/ports.ts';
import { writeNotification } from '../wire/notification.ts';
import type { Gate } from './gate.ts';
import { isSpent, waitBefore, type Patience } from './patience.ts';
import { isNews, tellOf, type News } from './told.ts';
import type { CallWebhook, WebhookCall, WebhookResult } from './webhook.ts';

/** What every delivery stands on. */
export interface DeliveryOptions {
  readonly log: Pick<TaskLog, 'readTask' | 'readConversation' | 'threadSize'>;
  readonly store: Pick<PushStore, 'noteDelivered' | 'noteFailed' | 'bury'>;
  readonly call: CallWebhook;
  /** How many webhooks of one agent are called at once, however many hosts they are on. */
  readonly agentGate: Gate;
  /** How many are called at once: all, and of one host. */
  readonly hostGate: Gate;
  readonly handlesOf: (handoff: Handoff) => Promise<Handles>;
  /** Called when a webhook has taken an event. */
  readonly delivered: (news: News, agent: AgentId) => void;
  readonly patience: Patience;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** 0 to 1. */
  readonly random: () => number;
  /** What the webhook is told of who calls. */
  readonly userAgent: string;
  readonly logger?: Pick<FastifyBaseLogger, 'warn' | 'error'>;
}

/** One webhook, to which the events of its task go, one after the other. */
export interface Delivery {
  readonly config: PushConfig;
  /** There may be something new. While it waits for its next attempt, that says nothing new. */
  wake(): void;
  /** Breaks off what is being sent. Resolves when nothing is under way. */
  stop(): Promise<void>;
}

const READ_LIMIT = 64;
const CALLED_OFF: WebhookResult = { ok: false, error: 'CALLED_OFF' };
/** When the store failed, milliseconds. */
const STORE_WAIT_MS = 5000;
/** setTimeout takes no more than 31 bits. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Goes from event to event, in order, and waits where one fails. The cursor is stored with each event that was taken, so
 * that every event arrives at least once; `Idempotency-Key` names it for those that come twice. One that has nothing to do
 * is a few numbers.
 * @param ended called when the task has ended and everything of it was delivered
 * @param known the snapshot at the cursor, where it is at hand
 */
export function createDelivery(
  options: DeliveryOptions,
  config: PushConfig,
  ended: () => void,
  known?: Handoff,
): Delivery {
  const { log, store, patience, clock, logger } = options;
  const { pk, taskId, agent } = config;
  const abort = new AbortController();
  const { signal } = abort;
  let { cursor, failure } = config;
  /** The snapshot at the cursor; undefined until it is needed. */
  let snapshot = known?.version === cursor ? known : undefined;
  let timer: NodeJS.Timeout | undefined;
  let work: Promise<void> | undefined;
  let mayBeMore = false;

  function wake(): void {
    if (signal.aborted || timer !== undefined) return;
    mayBeMore = true;
    work ??= run().finally(() => {
      work = undefined;
    });
  }

  function wakeIn(ms: number): void {
    if (signal.aborted) return;
    const again = (): void => {
      timer = undefined;
      wake();
    };
    timer = setTimeout(again, Math.min(Math.max(ms, 0), LONGEST_TIMER_MS)).unref();
  }

  async function run(): Promise<void> {
    try {
      while (mayBeMore && timer === undefined && !signal.aborted) {
        mayBeMore = false;
        if (await drain()) ended();
      }
    } catch (error) {
      if (signal.aborted) return;
      logger?.error({ err: error, task: taskId }, 'a push could not be read or noted');
      wakeIn(STORE_WAIT_MS);
    }
  }

  /** Delivers what there is, until something fails. @returns whether the task has ended and all is delivered */
  async function drain(): Promise<boolean> {
    for (;;) {
      const page = await log.readTask(taskId, cursor, READ_LIMIT);
      const party = page && partyOf(page.handoff, agent);
      if (page === undefined || party === undefined) return true;
      const isEnd = TERMINAL_STATES.has(page.handoff.state) && !page.more;
      if (page.events.length === 0) return isEnd;
      let handoff = snapshot ?? (await snapshotAt(log, page.handoff, cursor));
      let isPassed = false;
      for (const event of page.events) {
        if (signal.aborted) return false;
        handoff = evolve(handoff, event);
        const news = { handoff, event, party };
        isPassed = !isNews(news);
        if (!isPassed && !(await deliver(news))) return false;
        cursor = event.version;
        snapshot = handoff;
      }
      // what nobody has to be told is passed with the next thing that somebody has, or with the last of all
      if (isPassed && isEnd) await store.noteDelivered(pk, cursor);
    }
  }

  /** @returns whether to go on with the next event */
  async function deliver(news: News): Promise<boolean> {
    const { host } = new URL(config.url);
    const result = await options.agentGate.run(`${agent}`, () =>
      options.hostGate.run(host, async () => {
        // it may have been called off while it waited for its turn
        if (signal.aborted) return CALLED_OFF;
        return options.call(await compose(options, config, news), signal);
      }),
    );
    if (signal.aborted) return false;
    if (result.ok) {
      failure = undefined;
      await store.noteDelivered(pk, news.event.version);
      // a wake-up hands nothing over
      if (!config.wakeUp) options.delivered(news, agent);
      return true;
    }
    const now = clock();
    const attempts = (failure?.attempts ?? 0) + 1;
    const since = failure?.since ?? now;
    const { error } = result;
    if (isSpent(patience, attempts, since, now)) {
      logger?.warn({ task: taskId, host, error, attempts }, 'a push was given up');
      failure = undefined;
      await store.bury(pk, { version: news.event.version, error, attempts, diedAt: now });
      return true;
    }
    const wait = waitBefore(patience, attempts, options.random(), result.retryAfterMs);
    failure = { attempts, since, nextAt: now + wait };
    await store.noteFailed(pk, failure);
    wakeIn(wait);
    return false;
  }

  // a clock that was set back in between is no reason to wait longer than ever
  if (failure !== undefined) wakeIn(Math.min(failure.nextAt - clock(), patience.lastRetryMs));
  return {
    config,
    wake,
    async stop() {
      clearTimeout(timer);
      abort.abort();
      await work;
    },
  };
}

async function compose(options: DeliveryOptions, config: PushConfig, news: News): Promise<WebhookCall> {
  const { generation, alias, token, authentication } = config;
  const told = await tellOf(config, news, options);
  const { contentType, version, body } = writeNotification(generation, told, alias);
  const { scheme, credentials } = authentication ?? {};
  return {
    url: config.url,
    body,
    headers: {
      'content-type': contentType,
      'user-agent': options.userAgent,
      'a2a-version': version,
      'idempotency-key': `"${config.taskId}/${news.event.version}"`,
      ...(token === undefined ? {} : { 'x-a2a-notification-token': token }),
      ...(scheme === undefined || credentials === undefined ? {} : { authorization: `${scheme} ${credentials}` }),
    },
  };
}

/** The handoff as it was, from its log: only after a start, and when a delivery goes back. */
async function snapshotAt(log: Pick<TaskLog, 'readTask'>, now: Handoff, version: number): Promise<Handoff> {
  let handoff = blank(now);
  while (handoff.version < version) {
    const page = await log.readTask(now.id, handoff.version, READ_LIMIT);
    if (page === undefined || page.events.length === 0) throw new Error('a log that is shorter than its cursor');
    for (const event of page.events) if (event.version <= version) handoff = evolve(handoff, event);
  }
  return handoff;
}
