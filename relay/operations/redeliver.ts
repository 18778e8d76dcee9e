import type { DeadLetters, Redelivered } from '../contract/dead-letter.ts';
import { TERMINAL_STATES, type Party } from '../contract/handoff.ts';
import { RelayError } from '../contract/reasons.ts';
import { digest } from '../handoffs/digest.ts';
import { notFound } from '../handoffs/engine.ts';
import type { Handoff } from '../store/ports.ts';
import { authorOf, visibleAs, type Call, type RelayContext } from './context.ts';
import { reach } from './reach.ts';
import { requireExtensions } from './required-extensions.ts';

/** What the caller's webhooks did not take, and is no longer tried, newest first; at most 100, of those that its key shows. */
export async function deadLetters({ webhooks, log }: RelayContext, call: Call): Promise<DeadLetters> {
  const letters = await webhooks.store.deadLetters(call.principal.agent.id, 100);
  const handoffs = await Promise.all(letters.map(({ taskId }) => log.readHandoff(taskId)));
  const shown = letters.filter((_letter, index) => {
    const handoff = handoffs[index];
    return handoff !== undefined && visibleAs(handoff, call) !== undefined;
  });
  return {
    items: shown.map(({ taskId, configId, url, version, error, attempts, diedAt }) => ({
      task_id: taskId,
      config_id: configId,
      url,
      version,
      error,
      attempts,
      died_at: diedAt,
    })),
  };
}

/**
 * Gives a task another chance. What the caller's webhooks did not take is pushed again, from the first event that each
 * missed. Where nothing was missed, and the task ended without success, its sender hands it over again: as a new one that
 * refers to it (`referenceTaskIds`), once. UNSUPPORTED_OPERATION where there is nothing to do, RECIPIENT_NOT_FOUND where its
 * recipient was removed.
 */
export async function redeliver(context: RelayContext, call: Call, taskId: string): Promise<Redelivered> {
  const handoff = await context.log.readHandoff(taskId);
  const party = handoff && visibleAs(handoff, call);
  if (handoff === undefined || party === undefined) throw notFound(taskId);
  const { store, push } = context.webhooks;
  const revived = await store.revive(taskId, call.principal.agent.id);
  for (const config of revived) push.follow(config);
  if (revived.length > 0) return { task_id: taskId, webhooks: revived.length };
  refuseWithoutNeed(handoff, party);
  return { task_id: await handOverAgain(context, call, handoff), webhooks: 0 };
}

function refuseWithoutNeed({ state }: Handoff, party: Party): void {
  if (party === 'sender' && TERMINAL_STATES.has(state) && state !== 'completed') return;
  throw new RelayError(
    'UNSUPPORTED_OPERATION',
    party === 'sender'
      ? `There is nothing to deliver again: it is ${state}, and no webhook has missed anything.`
      : 'There is nothing to deliver again: no webhook has missed anything. Only its sender can hand it over again.',
    { metadata: { state } },
  );
}

/** The first message once more. What was said later belongs to the old thread, which the new one refers to. */
async function handOverAgain(context: RelayContext, call: Call, before: Handoff): Promise<string> {
  const [sender, recipient] = await Promise.all(
    [before.sender, before.recipient].map((id) => context.directory.agentById(id)),
  );
  const page = await context.log.readTask(before.id, 0, 1);
  const [first] = page?.events ?? [];
  if (sender === undefined || recipient === undefined || first?.kind !== 'created') throw notFound(before.id);
  if ((await context.resolve(recipient.name)) === undefined) {
    throw new RelayError(
      'RECIPIENT_NOT_FOUND',
      `${recipient.name} was removed from this relay. Hand it over to somebody else.`,
    );
  }
  requireExtensions(recipient, call);
  const { message, summary, intent, proposedAction } = first;
  const { contextId, sender: caller, recipient: other, chain } = before;
  const again = {
    type: 'create',
    actor: 'sender',
    author: authorOf(call, first.author),
    message: {
      ...message,
      messageId: context.newId(),
      referenceTaskIds: [...(message.referenceTaskIds ?? []), before.id],
    },
    summary,
    ...(intent === undefined ? {} : { intent }),
    ...(proposedAction === undefined ? {} : { proposedAction }),
    bornLive: false,
  } as const;
  const once = {
    key: { caller, other, kind: 'update', key: `redeliver ${before.id}` },
    digest: digest({ redeliver: before.id }),
  } as const;
  const { handoff } = await reach(context, call, recipient, summary, () =>
    // the same work once more: it has come no further
    context.engine.create(
      { id: context.newId(), contextId, sender: caller, recipient: other, ...(chain && { chain }) },
      again,
      once,
    ),
  );
  return handoff.id;
}
