import { z } from 'zod';
import { REASONS, RelayError } from '../../relay/contract/reasons.ts';

/** Errors as a relay writes them: google.rpc details in a JSON-RPC error or in an HTTP body (A2A 1.0.1 section 5.4). */

const detailSchema = z.object({
  reason: z.string().optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  fieldViolations: z.array(z.object({ field: z.string(), description: z.string() })).optional(),
});
const detailsSchema = z.array(detailSchema).catch([]);
const errorSchema = z.object({ message: z.string(), data: detailsSchema, details: detailsSchema });
const bodySchema = z.object({ error: errorSchema });

/**
 * The error that a relay answered with, as it was thrown there. undefined when the body holds none. A reason that we
 * do not know (of a newer relay) becomes INTERNAL and is named in the metadata; the sentence stays the relay's.
 */
export function readRelayError(body: unknown): RelayError | undefined {
  const error = bodySchema.safeParse(body).data?.error;
  if (error === undefined) return undefined;
  const details = [...error.data, ...error.details];
  const told = details.find((detail) => detail.reason !== undefined);
  const reason = REASONS.find((known) => known === told?.reason);
  return new RelayError(reason ?? 'INTERNAL', error.message, {
    metadata: { ...told?.metadata, ...(reason === undefined && told?.reason ? { relay_reason: told.reason } : {}) },
    violations: details.flatMap((detail) => detail.fieldViolations ?? []),
  });
}
