import type { Json, JsonObject } from './json.ts';

/**
 * The canonical model: A2A 1.0 objects in their ProtoJSON form, as plain readonly data (A2A 1.0.1, proto lf.a2a.v1).
 * Other generations of the protocol are translated at the edge, in relay/wire, and nowhere else.
 */

/** The states that the relay produces, and AUTH_REQUIRED, which it only ever reads. */
export type TaskState =
  | 'TASK_STATE_SUBMITTED'
  | 'TASK_STATE_WORKING'
  | 'TASK_STATE_COMPLETED'
  | 'TASK_STATE_FAILED'
  | 'TASK_STATE_CANCELED'
  | 'TASK_STATE_INPUT_REQUIRED'
  | 'TASK_STATE_REJECTED'
  | 'TASK_STATE_AUTH_REQUIRED';

/** ROLE_USER is the sender of a handoff, ROLE_AGENT its recipient. The relay sets it from the credential. */
export type Role = 'ROLE_USER' | 'ROLE_AGENT';

interface PartCommon {
  readonly mediaType?: string;
  readonly filename?: string;
  readonly metadata?: JsonObject;
}
/** Text for a person or an agent. */
export interface TextPart extends PartCommon {
  readonly text: string;
}
/** A file's bytes, base64. */
export interface RawPart extends PartCommon {
  readonly raw: string;
}
/** A file by reference. The relay never fetches it. */
export interface UrlPart extends PartCommon {
  readonly url: string;
}
/** Any JSON value. Typed artifacts travel in this form (relay/contract/artifact.ts). */
export interface DataPart extends PartCommon {
  readonly data: Json;
}
export type Part = TextPart | RawPart | UrlPart | DataPart;

/** One turn of a thread. */
export interface Message {
  readonly messageId: string;
  readonly contextId?: string;
  readonly taskId?: string;
  readonly role: Role;
  readonly parts: readonly Part[];
  readonly metadata?: JsonObject;
  readonly extensions?: readonly string[];
  readonly referenceTaskIds?: readonly string[];
}

/** What a recipient produced. */
export interface Artifact {
  readonly artifactId: string;
  readonly name?: string;
  readonly description?: string;
  readonly parts: readonly Part[];
  readonly metadata?: JsonObject;
  readonly extensions?: readonly string[];
}

export interface TaskStatus {
  readonly state: TaskState;
  readonly message?: Message;
  /** ISO 8601, UTC, milliseconds. */
  readonly timestamp?: string;
}

/** A handoff as A2A shows it. */
export interface Task {
  readonly id: string;
  readonly contextId: string;
  readonly status: TaskStatus;
  readonly artifacts?: readonly Artifact[];
  readonly history?: readonly Message[];
  readonly metadata?: JsonObject;
}

export interface TaskStatusUpdateEvent {
  readonly taskId: string;
  readonly contextId: string;
  readonly status: TaskStatus;
  readonly metadata?: JsonObject;
}

export interface TaskArtifactUpdateEvent {
  readonly taskId: string;
  readonly contextId: string;
  readonly artifact: Artifact;
  /** true: the parts are added to the artifact with the same id. */
  readonly append?: boolean;
  readonly lastChunk?: boolean;
  readonly metadata?: JsonObject;
}

/** One frame of a stream: exactly one member is set. */
export type StreamResponse =
  | { readonly task: Task }
  | { readonly message: Message }
  | { readonly statusUpdate: TaskStatusUpdateEvent }
  | { readonly artifactUpdate: TaskArtifactUpdateEvent };

/** What a blocking or immediate SendMessage answers with. */
export type SendMessageResponse = { readonly task: Task } | { readonly message: Message };

export interface ListTasksResponse {
  readonly tasks: readonly Task[];
  /** Empty on the last page, never absent. */
  readonly nextPageToken: string;
  readonly pageSize: number;
  readonly totalSize: number;
}

/** How a webhook knows that a push notification is ours. Credentials are taken, and never given back. */
export interface AuthenticationInfo {
  /** An HTTP authentication scheme, such as `Bearer`. */
  readonly scheme: string;
  readonly credentials?: string;
}

/** Where changes of a task are pushed to. */
export interface TaskPushNotificationConfig {
  readonly id: string;
  readonly taskId: string;
  readonly url: string;
  readonly authentication?: AuthenticationInfo;
}

export interface AgentSkill {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly examples?: readonly string[];
  /** Media types, in place of the card's. */
  readonly inputModes?: readonly string[];
  readonly outputModes?: readonly string[];
}

export interface AgentInterface {
  readonly url: string;
  readonly protocolBinding: string;
  readonly protocolVersion: string;
}

export interface AgentExtension {
  readonly uri: string;
  readonly description?: string;
  readonly required: boolean;
  readonly params?: JsonObject;
}

export interface HttpAuthSecurityScheme {
  /** As in the IANA registry: `Bearer`. */
  readonly scheme: string;
  readonly description: string;
}

/** A JSON Web Signature of a card (RFC 7515). */
export interface AgentCardSignature {
  readonly protected: string;
  readonly signature: string;
}

/** An Agent Card in its 1.0 form. Every required member is present and, where it is a list, not empty. */
export interface AgentCard {
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly supportedInterfaces: readonly AgentInterface[];
  readonly provider?: { readonly organization: string; readonly url: string };
  readonly documentationUrl?: string;
  readonly iconUrl?: string;
  readonly capabilities: {
    readonly streaming: boolean;
    readonly pushNotifications: boolean;
    readonly extendedAgentCard: boolean;
    readonly extensions: readonly AgentExtension[];
  };
  /** HTTP authentication is the only kind that the relay has. */
  readonly securitySchemes: Readonly<Record<string, { readonly httpAuthSecurityScheme: HttpAuthSecurityScheme }>>;
  readonly securityRequirements: readonly {
    readonly schemes: Readonly<Record<string, { readonly list: readonly string[] }>>;
  }[];
  readonly defaultInputModes: readonly string[];
  readonly defaultOutputModes: readonly string[];
  readonly skills: readonly AgentSkill[];
  readonly signatures?: readonly AgentCardSignature[];
}
