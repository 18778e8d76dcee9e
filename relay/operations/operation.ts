import type { Artifact, AuthenticationInfo, Message } from '../contract/a2a.ts';
import type { Generation } from '../contract/generation.ts';
import type {
  Author,
  HandoffState,
  Intent,
  MessageKind,
  ProposedAction,
  ReceiptState,
  Transition,
} from '../contract/handoff.ts';

/**
 * What a caller can ask of the relay, free of dialect and binding. relay/wire decodes into these, the functions beside
 * this file carry them out.
 */

/** What `metadata["urn:agentrelay:handoff:1"]` (and its aliases) says of a message (docs/extension.md, Metadata). */
export interface HandoffMeta {
  /** A handle. From `params.recipient` or the metadata. */
  readonly recipient?: string;
  readonly kind?: MessageKind;
  readonly transition?: Transition;
  readonly sessionId?: string;
  readonly reason?: string;
  readonly intent?: Intent;
  readonly proposedAction?: ProposedAction;
  /** Only that it was asked for as a pairing: `live.op` is `request`. */
  readonly liveRequested?: true;
  /** What the client says of itself; believed only from a desk's key. */
  readonly author?: Author;
  /** Takes the place of messageId as the idempotency key. */
  readonly idempotencyKey?: string;
  /** The recipient's artifacts that go with the message. */
  readonly artifacts?: readonly Artifact[];
  /** The message's own parts are a chunk of this artifact, and no message of its own. */
  readonly artifactId?: string;
  readonly append?: boolean;
  readonly lastChunk?: boolean;
}

/** A webhook, as its client gave it. */
export interface NewPushConfig {
  /** Left out, it is the task's. */
  readonly id?: string;
  /** http or https; whether it may be called is for relay/notify to say. */
  readonly url: string;
  /** Sent along, so that the webhook can tell whose notification it is. */
  readonly token?: string;
  readonly authentication?: AuthenticationInfo;
  /** Nothing that anybody wrote is sent: only that the task has changed. */
  readonly wakeUp: boolean;
  /** The generation that the client speaks, in which it is told. */
  readonly generation: Generation;
}

export interface SendOperation {
  readonly op: 'send' | 'stream';
  /** The client's own name for the task (A2A 0.1). */
  readonly alias?: string;
  readonly tenant?: string;
  /** As the client sent it, checked and with its unknown metadata. Role and ids are set by the relay. */
  readonly message: Message;
  readonly meta: HandoffMeta;
  /** undefined: no limit; 0: none. */
  readonly historyLength?: number;
  readonly returnImmediately: boolean;
  /** Where the changes of the task are to be pushed to. */
  readonly push?: NewPushConfig;
}

export interface GetTaskOperation {
  readonly op: 'getTask';
  /** The client's own name for the task (A2A 0.1). */
  readonly alias?: string;
  readonly tenant?: string;
  readonly id: string;
  readonly historyLength?: number;
}

export interface ListTasksOperation {
  readonly op: 'listTasks';
  readonly tenant?: string;
  readonly contextId?: string;
  readonly states?: readonly HandoffState[];
  /** 1 to 100. */
  readonly pageSize: number;
  /** Opaque; checked by the operation. Empty or absent: the first page. */
  readonly pageToken?: string;
  readonly historyLength?: number;
  /** Milliseconds since the epoch. */
  readonly statusSince?: number;
  readonly includeArtifacts: boolean;
}

export interface CancelTaskOperation {
  readonly op: 'cancelTask';
  /** The client's own name for the task (A2A 0.1). */
  readonly alias?: string;
  readonly tenant?: string;
  readonly id: string;
}

export interface SubscribeOperation {
  readonly op: 'subscribe';
  /** The client's own name for the task (A2A 0.1). */
  readonly alias?: string;
  readonly tenant?: string;
  readonly id: string;
}

export interface CreatePushConfigOperation {
  readonly op: 'createPushConfig';
  /** The client's own name for the task (A2A 0.1). */
  readonly alias?: string;
  readonly tenant?: string;
  readonly id: string;
  readonly config: NewPushConfig;
}

export interface GetPushConfigOperation {
  readonly op: 'getPushConfig';
  /** The client's own name for the task (A2A 0.1). */
  readonly alias?: string;
  readonly tenant?: string;
  readonly id: string;
  /** Left out (A2A 0.3), it is the task's, or the oldest. */
  readonly configId?: string;
}

export interface ListPushConfigsOperation {
  readonly op: 'listPushConfigs';
  readonly tenant?: string;
  readonly id: string;
  /** 1 to 100. */
  readonly pageSize: number;
  readonly pageToken?: string;
}

export interface DeletePushConfigOperation {
  readonly op: 'deletePushConfig';
  readonly tenant?: string;
  readonly id: string;
  readonly configId: string;
}

/** `tasks/update` of our extension. */
export interface UpdateOperation {
  readonly op: 'update';
  readonly id: string;
  readonly transition?: Transition;
  readonly sessionId?: string;
  readonly reason?: string;
  readonly message?: Message;
  readonly kind?: MessageKind;
  readonly artifacts: readonly Artifact[];
  readonly append: boolean;
  readonly lastChunk: boolean;
  readonly author?: Author;
  readonly idempotencyKey?: string;
  /** undefined: no limit, but none with `append`; 0: none. */
  readonly historyLength?: number;
}

/** `tasks/list` of our extension. */
export interface ListHandoffsOperation {
  readonly op: 'listHandoffs';
  readonly role?: 'sender' | 'recipient';
  readonly states?: readonly HandoffState[];
  /** 1 to 100. */
  readonly limit: number;
  readonly cursor?: string;
  /** Whether the number of all that match is wanted: it costs a walk over them. */
  readonly countTotal: boolean;
}

export interface ExtendedCardOperation {
  readonly op: 'extendedCard';
  readonly tenant?: string;
}

export type Operation =
  | SendOperation
  | GetTaskOperation
  | ListTasksOperation
  | CancelTaskOperation
  | SubscribeOperation
  | CreatePushConfigOperation
  | GetPushConfigOperation
  | ListPushConfigsOperation
  | DeletePushConfigOperation
  | UpdateOperation
  | ListHandoffsOperation
  | ExtendedCardOperation;

/** `POST /v1/receipts`, one item. */
export interface ReceiptItem {
  readonly taskId: string;
  readonly version: number;
  readonly state: ReceiptState;
  readonly sessionLabel?: string;
}
