import { leasedSchema, releasedSchema, type Released } from '../../relay/contract/lease.ts';
import type { JsonObject } from '../../relay/contract/json.ts';
import type { LeaseTiming } from '../../relay/operations/leasing.ts';
import type { z } from 'zod';
import type { A2aClient, HttpAnswer } from './a2a-client.ts';

export type LeasedAnswer = z.infer<typeof leasedSchema>;

/** A relay that is as quick with workers as it can be. */
export const QUICK_LEASES: LeaseTiming = {
  firstRetryMs: 10,
  lastRetryMs: 40,
  maxAgeMs: 3_600_000,
  graceMs: 0,
  lingerMs: 20,
};

/** A request of a worker, whatever comes of it. */
export function post(client: A2aClient, path: string, body: JsonObject, signal?: AbortSignal): Promise<HttpAnswer> {
  return client.http('POST', path, {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
}

/** The next handoff for a worker; undefined when none came. */
export async function lease(
  client: A2aClient,
  worker: string,
  more: JsonObject = {},
): Promise<LeasedAnswer | undefined> {
  const answer = await post(client, '/v1/leases', { worker, wait_s: 0, ...more });
  if (answer.status === 204) return undefined;
  if (answer.status !== 200) throw new Error(`HTTP ${answer.status} ${answer.body}`);
  return leasedSchema.parse(JSON.parse(answer.body));
}

/** The same where one has to be there. */
export async function leased(client: A2aClient, worker: string, more: JsonObject = {}): Promise<LeasedAnswer> {
  const one = await lease(client, worker, { wait_s: 10, ...more });
  if (one === undefined) throw new Error('nothing was leased');
  return one;
}

/** Gives a lease back. */
export async function release(
  client: A2aClient,
  taskId: string,
  worker: string,
  more: JsonObject = {},
): Promise<Released> {
  const answer = await post(client, `/v1/leases/${taskId}/release`, { worker, ...more });
  if (answer.status !== 200) throw new Error(`HTTP ${answer.status} ${answer.body}`);
  return releasedSchema.parse(JSON.parse(answer.body));
}

/** The reason of a refusal over plain HTTP. */
export function refusalOf({ status, body }: HttpAnswer): readonly [status: number, reason: string | undefined] {
  const { error } = JSON.parse(body) as { error: { details: readonly { reason?: string }[] } };
  return [status, error.details.find(({ reason }) => reason !== undefined)?.reason];
}
