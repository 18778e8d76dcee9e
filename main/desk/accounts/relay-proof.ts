import { isProof, relayProofSchema } from '../../../relay/identity/relay-proof.ts';
import { readText } from '../read-text.ts';
import { ConnectionError, troubleOf } from '../trouble.ts';

/** Makes sure that the relay at an address is the one that an account is on, before a key is sent there. */
export interface RelayProof {
  /**
   * Asks, unless it has shown it before. Fails with a ConnectionError: `not_proven` where somebody else answers there.
   * @returns what the relay calls itself
   */
  ensure(): Promise<string>;
  /** The connection was lost: who answers next has to show it again. */
  forget(): void;
}

export interface RelayProofOptions {
  /** The relay's base URL. */
  readonly relay: string;
  readonly relayId: string;
  readonly timeoutMs: number;
  /** Ends what is on its way. */
  readonly signal?: AbortSignal;
  /** So many random bytes. */
  readonly randomBytes: (size: number) => Uint8Array;
}

const NONCE_BYTES = 32;
/** A proof has a few hundred bytes. */
const MOST_BYTES = 16_384;

export function createRelayProof(options: RelayProofOptions): RelayProof {
  let proving: Promise<string> | undefined;
  return {
    ensure() {
      if (proving !== undefined) return proving;
      const asked = prove(options);
      proving = asked;
      // one that failed is asked for again
      asked.catch(() => {
        if (proving === asked) proving = undefined;
      });
      return asked;
    },
    forget() {
      proving = undefined;
    },
  };
}

async function prove({ relay, relayId, timeoutMs, signal, randomBytes }: RelayProofOptions): Promise<string> {
  const nonce = Buffer.from(randomBytes(NONCE_BYTES)).toString('base64url');
  const answer = await ask(new URL(`/v1/relay?nonce=${nonce}`, relay), [
    AbortSignal.timeout(timeoutMs),
    ...(signal === undefined ? [] : [signal]),
  ]);
  const { data: proof } = relayProofSchema.safeParse(answer);
  if (proof === undefined || !isProof(answer, nonce, relayId)) throw new ConnectionError({ kind: 'not_proven' });
  return proof.name;
}

/** What stands there as JSON; undefined where that is none. */
async function ask(url: URL, signals: readonly AbortSignal[]): Promise<unknown> {
  try {
    // whoever sends us elsewhere is not the one
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.any([...signals]) });
    const text = await readText(response, MOST_BYTES);
    if (response.status >= 500) throw new ConnectionError({ kind: 'answered', with: `HTTP ${response.status}` });
    return parseJson(text);
  } catch (error) {
    throw new ConnectionError(troubleOf(error), error);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
