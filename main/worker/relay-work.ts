import { z } from 'zod';
import type { JsonObject } from '../../relay/contract/json.ts';
import { releasedSchema, renewedSchema, type Released } from '../../relay/contract/lease.ts';
import { createRelayRequest, type RelayRequestOptions } from '../desk/relay-request.ts';
import { workSchema, type Work } from './document.ts';

/** What a worker says of itself with each lease. */
export interface WorkerTerms {
  readonly worker: string;
  /** The handle that the key is believed to be of; undefined where nobody said. */
  readonly agent?: string;
  readonly leaseMs: number;
  readonly attempts: number;
  /** How long the relay waits for work before it says that there is none, milliseconds. */
  readonly waitMs: number;
}

/** A worker's requests to its relay. Each fails as a RelayRequest does. */
export interface RelayWork {
  /** The next handoff; undefined when none came in time. */
  lease(signal: AbortSignal): Promise<Work | undefined>;
  renew(taskId: string): Promise<void>;
  release(taskId: string, outcome: 'failed' | 'stopped', reason?: string): Promise<Released>;
  /** `tasks/update`. */
  update(params: JsonObject): Promise<void>;
}

const rpcSchema = z.object({ result: z.unknown() });

export function createRelayWork(options: RelayRequestOptions, terms: WorkerTerms): RelayWork {
  const request = createRelayRequest(options);
  const { worker, agent, attempts, leaseMs, waitMs } = terms;
  const leaseS = leaseMs / 1000;
  return {
    async lease(signal) {
      const body = {
        worker,
        attempts,
        lease_s: leaseS,
        wait_s: waitMs / 1000,
        author: 'cli',
        ...(agent !== undefined && { agent }),
      };
      return request('/v1/leases', workSchema.optional(), { body, signal, waitMs });
    },
    async renew(taskId) {
      await request(pathOf(taskId, 'renew'), renewedSchema, { body: { worker, lease_s: leaseS } });
    },
    release: (taskId, outcome, reason) =>
      request(pathOf(taskId, 'release'), releasedSchema, {
        body: { worker, outcome, ...(reason !== undefined && { reason }) },
      }),
    async update(params) {
      await request('/a2a', rpcSchema, { body: { jsonrpc: '2.0', id: 1, method: 'tasks/update', params } });
    },
  };
}

function pathOf(taskId: string, what: string): string {
  return `/v1/leases/${encodeURIComponent(taskId)}/${what}`;
}
