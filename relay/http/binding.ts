import type { FastifyReply, FastifyRequest } from 'fastify';
import { EXTENSION_URI } from '../contract/handoff.ts';
import { invalidParams, RelayError } from '../contract/reasons.ts';
import type { Frame } from '../operations/answer.ts';
import type { Call } from '../operations/context.ts';
import { isGuide } from '../operations/guide.ts';
import { onAbort } from '../operations/on-abort.ts';
import type { Operation } from '../operations/operation.ts';
import type { Performed } from '../operations/perform.ts';
import type { Agent } from '../store/ports.ts';
import type { Dialect } from '../wire/dialect.ts';
import { toRelayError } from '../wire/errors.ts';
import { excerpt } from '../wire/excerpt.ts';
import { dataFrame } from '../wire/sse.ts';
import { negotiate } from '../wire/version.ts';
import { callerSignal, openStream } from './connection.ts';
import type { HttpDeps } from './deps.ts';
import { callerOf } from './identify.ts';

/** What the bindings of A2A have in common: who calls, in which dialect, and how a stream is sent. */

/** The dialect of a method, by its name and the version that the request names (relay/wire/version.ts). */
export function dialectOf(deps: HttpDeps, request: FastifyRequest, method: string): Dialect {
  const query = queryOf(request)['A2A-Version'];
  const header = request.headers['a2a-version'];
  return negotiate(method, asText(header), asText(query), { lenient: deps.lenientVersion });
}

/** Who calls, and at whose door. UNAUTHENTICATED once the key was revoked. */
export async function callOf(deps: HttpDeps, request: FastifyRequest, operation: Operation): Promise<Call> {
  const signal = callerSignal(request);
  const tenant = 'tenant' in operation ? operation.tenant : undefined;
  const extensions = extensionsOf(request);
  const endpoint = await endpointOf(deps, paramsOf(request)['handle'], tenant);
  const principal = callerOf(deps, request);
  return { principal, signal, extensions, ...(endpoint === undefined ? {} : { endpoint }) };
}

/** The extensions that a request names, under the header of any generation. */
export function extensionsOf({ headers }: FastifyRequest): ReadonlySet<string> {
  const lists = [headers['a2a-extensions'], headers['x-a2a-extensions']].map((header) => asText(header) ?? '');
  return new Set(lists.flatMap((list) => list.split(',').map((uri) => uri.trim())).filter((uri) => uri !== ''));
}

/**
 * The agent that the path names, or a `tenant` at the relay-wide endpoint; undefined where neither names one, and
 * where it is the guide, who is at the relay-wide endpoint. Where both do, they have to agree (A2A 1.0.1 section 8.3.2).
 */
async function endpointOf(
  { context }: HttpDeps,
  handle: string | undefined,
  tenant: string | undefined,
): Promise<Agent | undefined> {
  const named = handle ?? tenant;
  if (named === undefined) return undefined;
  const isGuides = isGuide(context.relay, named);
  const endpoint = isGuides ? undefined : await context.resolve(named);
  if (endpoint === undefined && !isGuides) {
    throw new RelayError(
      'RECIPIENT_NOT_FOUND',
      `No agent of this relay has the handle in ${handle === undefined ? 'tenant' : 'the path'}. Nothing was sent.`,
      {
        metadata: { recipient: excerpt(named, 130) },
      },
    );
  }
  const isSame = async (other: string): Promise<boolean> =>
    isGuides ? isGuide(context.relay, other) : (await context.resolve(other))?.id === endpoint?.id;
  if (tenant !== undefined && !(await isSame(tenant))) {
    throw invalidParams('tenant', 'is not the agent of this endpoint. Leave it out: the path names the agent.');
  }
  return endpoint;
}

/** How a stream is written down: the text of each event. */
export interface Framing {
  events(frame: Frame): readonly string[];
  error(error: RelayError): string;
}

/** Sends a stream to its end, its reader's, or that of the relay. */
export async function sendFrames(
  deps: HttpDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { frames, stop }: Extract<Performed, { kind: 'stream' }>,
  framing: Framing,
): Promise<FastifyReply> {
  const writer = openStream(deps, request, reply, { maxAgeMs: deps.streamMaxAgeMs });
  onAbort(writer.signal, stop);
  try {
    for await (const frame of frames) {
      for (const event of framing.events(frame)) await writer.write(dataFrame(event));
    }
  } catch (thrown) {
    await writer.write(dataFrame(framing.error(toRelayError(thrown))));
    throw thrown;
  } finally {
    writer.end();
  }
  return reply;
}

/** What was asked for, and is known to the relay or the agent at the endpoint, is named back (A2A 1.0.1 section 3.2.6). */
export function echoExtensions(
  { extensionsHeader }: Dialect,
  { extensions, endpoint }: Call,
  reply: FastifyReply,
): void {
  const known = [EXTENSION_URI, ...(endpoint?.profile?.extensions ?? []).map(({ uri }) => uri)];
  const active = known.filter((uri) => extensions?.has(uri));
  if (active.length > 0) void reply.header(extensionsHeader, active.join(', '));
}

export function paramsOf(request: FastifyRequest): Readonly<Record<string, string | undefined>> {
  return request.params as Readonly<Record<string, string | undefined>>;
}

export function queryOf(request: FastifyRequest): Readonly<Record<string, unknown>> {
  return request.query as Readonly<Record<string, unknown>>;
}

/** A header or a member of the query that is there once. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
