import { registeredSchema, type RegisteredView } from '../../relay/contract/registration.ts';
import type { JsonObject } from '../../relay/contract/json.ts';
import { isLoopbackHost } from '../../relay/contract/url.ts';
import { createRelayRequest } from '../desk/relay-request.ts';
import { ConnectionError, describeTrouble } from '../desk/trouble.ts';
import { UsageError } from '../start-error.ts';
import { CommandError } from './failure.ts';

/** How long the relay may take to answer. */
const TIMEOUT_MS = 30_000;

/**
 * Reads the address of a relay. Fails with a UsageError where it is none, or where keys would travel to it readable.
 * @param isInsecure whether they may
 */
export function readRelayUrl(text: string, isInsecure: boolean): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`--relay is the address of a relay, such as https://relay.example.com, not "${text}".`);
  }
  if (url.protocol === 'https:' || isLoopbackHost(url.hostname) || isInsecure) return url.origin;
  throw new UsageError('Keys would travel to this relay readable. Use its https address, or say --insecure.');
}

/**
 * Makes an agent on a relay elsewhere: as its admin, or, without the token, as anybody. Fails with the relay's RelayError,
 * and with RELAY_NOT_REACHED.
 */
export async function registerRemotely(
  relay: string,
  adminToken: string | undefined,
  body: JsonObject,
): Promise<RegisteredView> {
  const request = createRelayRequest({
    relay: () => relay,
    ...(adminToken !== undefined && { apiKey: adminToken }),
    timeoutMs: TIMEOUT_MS,
    signal: new AbortController().signal,
  });
  try {
    return await request(adminToken === undefined ? '/v1/register' : '/admin/agents', registeredSchema, { body });
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error;
    throw new CommandError('RELAY_NOT_REACHED', `${relay} did not register it: ${why(error)}.`, {
      cause: error,
    });
  }
}

/** There is no log to look into: what is no usual trouble of a network (a certificate, say) is told as it is. */
function why({ trouble, cause }: ConnectionError): string {
  return trouble.kind === 'fault' ? innermost(cause) : describeTrouble(trouble);
}

function innermost(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : innermost(error.cause);
}
