import type { TaskPushNotificationConfig } from '../contract/a2a.ts';
import { invalidParams } from '../contract/reasons.ts';
import { notFound } from '../handoffs/engine.ts';
import { keyRevoked } from '../identity/bearer.ts';
import type { Handoff, PushConfig } from '../store/ports.ts';
import type { Answer } from './answer.ts';
import { visibleAs, type Call, type RelayContext } from './context.ts';
import type {
  CreatePushConfigOperation,
  DeletePushConfigOperation,
  GetPushConfigOperation,
  ListPushConfigsOperation,
  NewPushConfig,
} from './operation.ts';

/** Webhooks of a task (A2A 1.0.1 sections 3.1.7 to 3.1.10). An agent sees and changes its own and no others. */

/** Most webhooks of one agent for one task. */
const MOST = 16;

/** CreateTaskPushNotificationConfig: what happens to the task from now on is pushed. */
export async function createPushConfig(
  context: RelayContext,
  call: Call,
  { id, alias, config }: CreatePushConfigOperation,
): Promise<TaskPushNotificationConfig> {
  const handoff = await visible(context, call, id);
  await checkPushConfig(context, config, 'url');
  await refuseOneTooMany(context, call, config, id, 'id');
  return shown(await addPushConfig(context, call, config, handoff, alias));
}

/** Refuses a webhook that the relay will not call. @param field where its address stands in the request */
export async function checkPushConfig({ webhooks }: RelayContext, config: NewPushConfig, field: string): Promise<void> {
  const complaint = await webhooks.guard.complaint(config.url);
  if (complaint !== undefined) throw invalidParams(field, complaint);
}

/** Refuses a webhook more than a task may have of one agent. @param field where its id stands in the request */
export async function refuseOneTooMany(
  { webhooks }: RelayContext,
  { principal }: Call,
  { id }: NewPushConfig,
  taskId: string,
  field: string,
): Promise<void> {
  const configs = await webhooks.store.list(taskId, principal.agent.id);
  if (configs.length < MOST || configs.some((config) => config.id === (id ?? taskId))) return;
  throw invalidParams(field, `is one too many: a task has at most ${MOST}. Delete one first.`);
}

/**
 * Sets a webhook that was checked.
 * @param after the snapshot after which it is told of everything; the same one where there is one already stays where it is
 */
export async function addPushConfig(
  { webhooks }: RelayContext,
  { principal }: Call,
  { id, ...config }: NewPushConfig,
  after: Handoff,
  alias?: string,
): Promise<PushConfig> {
  const { id: taskId, version: cursor } = after;
  const agent = principal.agent.id;
  const named = { ...config, ...(alias === undefined ? {} : { alias }) };
  const added = await webhooks.store.put({ ...named, id: id ?? taskId, taskId, agent, cursor });
  if (added === undefined) throw keyRevoked();
  if (added.isChanged) webhooks.push.follow(added.config, after);
  return added.config;
}

/** GetTaskPushNotificationConfig. TASK_NOT_FOUND also for a webhook that is not there. */
export async function getPushConfig(
  context: RelayContext,
  call: Call,
  { id, configId }: GetPushConfigOperation,
): Promise<TaskPushNotificationConfig> {
  const configs = await own(context, call, id);
  const found =
    configs.find((config) => config.id === (configId ?? id)) ?? (configId === undefined ? configs[0] : undefined);
  if (found === undefined) throw notFound(id);
  return shown(found);
}

/** ListTaskPushNotificationConfigs, oldest first. The token of a page is the id with which it ends. */
export async function listPushConfigs(
  context: RelayContext,
  call: Call,
  { id, pageSize, pageToken = '' }: ListPushConfigsOperation,
): Promise<Extract<Answer, { kind: 'pushConfigs' }>> {
  const configs = await own(context, call, id);
  const after = Buffer.from(pageToken, 'base64url').toString();
  const from = pageToken === '' ? 0 : configs.findIndex((config) => config.id === after) + 1;
  if (pageToken !== '' && from === 0) {
    throw invalidParams('pageToken', 'is no token of this list. Leave it out to start with the first page.');
  }
  const page = configs.slice(from, from + pageSize);
  const last = page.at(-1);
  const isMore = last !== undefined && from + pageSize < configs.length;
  const nextPageToken = isMore ? Buffer.from(last.id).toString('base64url') : '';
  return { kind: 'pushConfigs', configs: page.map(shown), nextPageToken };
}

/** DeleteTaskPushNotificationConfig: once is as good as twice. */
export async function deletePushConfig(
  context: RelayContext,
  call: Call,
  { id, configId }: DeletePushConfigOperation,
): Promise<void> {
  await visible(context, call, id);
  const { store, push } = context.webhooks;
  const removed = await store.remove(id, call.principal.agent.id, configId);
  if (removed !== undefined) push.forget(removed);
}

async function own(context: RelayContext, call: Call, taskId: string): Promise<readonly PushConfig[]> {
  await visible(context, call, taskId);
  return context.webhooks.store.list(taskId, call.principal.agent.id);
}

async function visible(context: RelayContext, call: Call, taskId: string): Promise<Handoff> {
  const handoff = await context.log.readHandoff(taskId);
  if (handoff === undefined || visibleAs(handoff, call) === undefined) throw notFound(taskId);
  return handoff;
}

/** What a client gets back: secrets are taken, and never given. */
function shown({ id, taskId, url, authentication }: PushConfig): TaskPushNotificationConfig {
  return {
    id,
    taskId,
    url,
    ...(authentication === undefined ? {} : { authentication: { scheme: authentication.scheme } }),
  };
}
