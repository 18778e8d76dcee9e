import type { Message } from '../../contract/a2a.ts';
import { formatHandle, parseHandle, type Handle } from '../../contract/handle.ts';
import {
  authorSchema,
  EXTENSION_URI,
  handoffViewSchema,
  intentSchema,
  messageKindSchema,
  proposedActionSchema,
  transitionSchema,
  type Author,
  type Intent,
  type MessageKind,
  type ProposedAction,
} from '../../contract/handoff.ts';
import { isJsonObject, type JsonObject } from '../../contract/json.ts';
import { RelayError } from '../../contract/reasons.ts';
import type { HandoffMeta } from '../../operations/operation.ts';
import { readAnyPart } from '../a2a-0.3/part.ts';
import { readArtifact, refuseIssues } from '../a2a-1.0/message.ts';
import { compact, Fields, MAX_ID, otherSpelling } from '../fields.ts';

/**
 * Our extension's metadata (docs/extension.md, Metadata): what a call says of its handoff. For each member the first
 * place that has it counts.
 */

/** Most artifacts of one call. */
const MAX_ARTIFACTS = 64;
const MAX_REASON = 4096;
const MAX_HANDLE = 129;

/** Where a call can say it, in order. */
interface Places {
  /** Objects of our own vocabulary: every member counts, and has to be right. */
  readonly ours: readonly Fields[];
  /** `metadata` itself, where a few bare names are aliases; other names in it are other people's. */
  readonly bare: readonly Fields[];
}

/**
 * What a SendMessage says: in `message.metadata[EXTENSION_URI]`, then `params.metadata[EXTENSION_URI]`, then bare
 * `recipient`, `kind` and `client_idempotency_key` in either metadata, then `recipient`, `intent` and `proposed_action`
 * among the params.
 *
 * @throws RelayError UNSUPPORTED_OPERATION for steps of a live pairing other than asking for one
 */
export function readHandoffMeta(params: Fields, message: Fields): HandoffMeta {
  const places = metadataPlaces(params, message);
  const asked = [...places.ours, params];
  const intent = first(asked, 'intent')?.choice('intent', intentSchema.options);
  return compact<HandoffMeta>({
    ...readStep(places),
    recipient: readRecipient([...places.ours, ...places.bare, params]),
    intent,
    proposedAction: readProposedAction(asked, intent),
    artifactId: first(places.ours, 'artifact_id')?.string('artifact_id', MAX_ID),
  });
}

/**
 * What a `tasks/update` says: among its params, then where a SendMessage says it.
 *
 * @throws RelayError UNSUPPORTED_OPERATION for steps of a live pairing
 */
export function readUpdateMeta(params: Fields, message: Fields | undefined): HandoffMeta {
  const { ours, bare } = metadataPlaces(params, message);
  return compact<HandoffMeta>(readStep({ ours: [params, ...ours], bare }));
}

/** The members that both kinds of call have. */
function readStep({ ours, bare }: Places) {
  return {
    kind: readKind(ours, bare),
    transition: first(ours, 'transition')?.choice('transition', transitionSchema.options),
    sessionId: first(ours, 'session_id')?.string('session_id', MAX_ID),
    reason: first(ours, 'reason')?.string('reason', MAX_REASON),
    liveRequested: readLive(ours),
    author: readAuthor(ours),
    idempotencyKey:
      first(ours, 'idempotency_key')?.string('idempotency_key', MAX_ID) ??
      first([...ours, ...bare], 'client_idempotency_key')?.string('client_idempotency_key', MAX_ID),
    artifacts: first(ours, 'artifacts')?.objects('artifacts', MAX_ARTIFACTS, (artifact) =>
      readArtifact(artifact, readAnyPart),
    ),
    append: first(ours, 'append')?.boolean('append'),
    lastChunk: first(ours, 'last_chunk')?.boolean('last_chunk'),
  };
}

/** What the relay says of a handoff, and nobody else may. */
const RELAY_WORDS = Object.keys(handoffViewSchema.shape).filter((name) => name !== 'recipient' && name !== 'intent');
/** What is about one call, not about its message. */
const CALL_WORDS = [
  'transition',
  'reason',
  'live',
  'author',
  'idempotency_key',
  'client_idempotency_key',
  'artifacts',
  'artifact_id',
  'append',
  'last_chunk',
];
const NOT_SHARED: ReadonlySet<string> = new Set(
  [...RELAY_WORDS, ...CALL_WORDS].flatMap((name) => [name, otherSpelling(name)]),
);

/**
 * The message as it is kept and shown to the other side. Of `metadata[EXTENSION_URI]` stays what a client may say:
 * recipient, kind, intent, base_commit, repo, and names that we do not know; what the params' metadata said of these
 * joins it. All else of it is dropped: a session is private, `author`, `receipts` and the state are the relay's to
 * tell, transition, artifacts and proposed action have their own place. Other metadata is not touched.
 */
export function withSharedMetadata(message: Message, params: Fields): Message {
  const { metadata, ...rest } = message;
  const own = metadata?.[EXTENSION_URI];
  const paramsMetadata = params.get('metadata');
  const outer = isJsonObject(paramsMetadata) ? paramsMetadata[EXTENSION_URI] : undefined;
  if (!isJsonObject(own) && !isJsonObject(outer)) return message;
  const said = {
    ...(isJsonObject(outer) && sharedWords(outer)),
    ...(isJsonObject(own) && sharedWords(own)),
  };
  const { [EXTENSION_URI]: _, ...others } = metadata ?? {};
  const kept = Object.keys(said).length === 0 ? others : { ...others, [EXTENSION_URI]: said };
  return Object.keys(kept).length === 0 ? rest : { ...rest, metadata: kept };
}

/**
 * The message with the media types that its sender wants answers in (`acceptedOutputModes`), for the recipient to see: it is
 * the one who answers.
 */
export function withAcceptedModes(message: Message, modes: readonly string[] | undefined): Message {
  if (modes === undefined) return message;
  const { metadata = {} } = message;
  const own = metadata[EXTENSION_URI];
  const said = { ...(isJsonObject(own) ? own : {}), accepted_output_modes: [...modes] };
  return { ...message, metadata: { ...metadata, [EXTENSION_URI]: said } };
}

function sharedWords(words: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(words).filter(([name]) => !NOT_SHARED.has(name)));
}

function metadataPlaces(params: Fields, message: Fields | undefined): Places {
  const outer = params.fields('metadata');
  const inner = message?.get('metadata');
  const bare: Fields[] = [];
  // of another type: reading the message has refused it
  if (message !== undefined && isJsonObject(inner)) {
    bare.push(new Fields(message.at('metadata'), inner, message.violations));
  }
  if (outer !== undefined) bare.push(outer);
  return { ours: bare.flatMap(extensionOf), bare };
}

function extensionOf(metadata: Fields): Fields[] {
  const value = metadata.json[EXTENSION_URI];
  if (value === undefined || value === null) return [];
  const path = `${metadata.path}["${EXTENSION_URI}"]`;
  if (isJsonObject(value)) return [new Fields(path, value, metadata.violations)];
  metadata.violations.add(path, 'must be an object');
  return [];
}

/** The first place that has a member. */
function first(places: readonly Fields[], name: string): Fields | undefined {
  return places.find((place) => place.get(name) !== undefined);
}

/** Places may differ in how fully they name the recipient, not in whom they name. */
function readRecipient(places: readonly Fields[]): string | undefined {
  let found: Handle | undefined;
  for (const place of places) {
    const text = place.string('recipient', MAX_HANDLE);
    if (text === undefined) continue;
    const handle = parseHandle(text);
    if (handle === undefined) place.refuse('recipient', 'must be a handle: name, or name@relay');
    else if (found === undefined) found = handle;
    else if (isSame(found, handle)) found = { ...found, ...handle };
    else place.refuse('recipient', 'contradicts the recipient named elsewhere in this call');
  }
  if (found === undefined) return undefined;
  return found.relay === undefined ? found.name : formatHandle(found.name, found.relay);
}

function isSame(a: Handle, b: Handle): boolean {
  return a.name === b.name && (a.relay === undefined || b.relay === undefined || a.relay === b.relay);
}

/** `response` is what the origin of this extension calls a plain message. */
const KINDS = [...messageKindSchema.options, 'response'] as const;

/** A bare `kind` that is none of ours belongs to somebody else, and is left alone. */
function readKind(ours: readonly Fields[], bare: readonly Fields[]): MessageKind | undefined {
  const own = first(ours, 'kind');
  const kind =
    own === undefined
      ? bare.map((place) => KINDS.find((k) => k === place.get('kind'))).find((k) => k !== undefined)
      : own.choice('kind', KINDS);
  return kind === 'response' ? 'message' : kind;
}

/** A surface that we do not know is one that we do not believe. */
function readAuthor(ours: readonly Fields[]): Author | undefined {
  const author = first(ours, 'author')?.string('author', MAX_ID);
  return authorSchema.options.find((a) => a === author);
}

const LIVE_STEPS = ['request', 'accept', 'refuse', 'renew', 'pause', 'resume', 'end'] as const;

/** Without an `op` it is the relay's own `live`, echoed: it asks for nothing. */
function readLive(ours: readonly Fields[]): true | undefined {
  const op = first(ours, 'live')?.fields('live')?.choice('op', LIVE_STEPS);
  if (op === undefined) return undefined;
  if (op === 'request') return true;
  throw new RelayError('UNSUPPORTED_OPERATION', `This relay does not know the live step "${op}" yet. Send messages.`);
}

/** Required for propose_action, refused without it. */
function readProposedAction(places: readonly Fields[], intent: Intent | undefined): ProposedAction | undefined {
  const place = first(places, 'proposed_action');
  if (place === undefined) {
    if (intent === 'propose_action') {
      first(places, 'intent')?.refuse('proposed_action', 'is required with the intent propose_action');
    }
    return undefined;
  }
  if (intent !== 'propose_action') place.refuse('proposed_action', 'needs the intent propose_action');
  const result = proposedActionSchema.safeParse(place.get('proposed_action'));
  refuseIssues(place, 'proposed_action', result);
  return result.data;
}
