import { z } from 'zod';
import type {
  AgentCard,
  ListTasksResponse,
  SendMessageResponse,
  StreamResponse,
  Task,
  TaskPushNotificationConfig,
} from '../../relay/contract/a2a.ts';

/**
 * A2A 1.0.1's objects as a strict reader sees them (proto lf.a2a.v1, ProtoJSON): every object closed, every required
 * member there, nothing null. What the relay emits has to pass; what it accepts is another matter.
 */

const text = z.string().min(1);
const struct = z.record(z.string(), z.json());
const timestamp = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

const partCommon = {
  mediaType: text.exactOptional(),
  filename: text.exactOptional(),
  metadata: struct.exactOptional(),
};
const part = z.union([
  z.strictObject({ text: z.string(), ...partCommon }),
  z.strictObject({ raw: z.base64(), ...partCommon }),
  z.strictObject({ url: z.url(), ...partCommon }),
  z.strictObject({ data: z.json(), ...partCommon }),
]);
const parts = z.array(part).min(1);

const message = z.strictObject({
  messageId: text,
  contextId: text.exactOptional(),
  taskId: text.exactOptional(),
  role: z.enum(['ROLE_USER', 'ROLE_AGENT']),
  parts,
  metadata: struct.exactOptional(),
  extensions: z.array(text).exactOptional(),
  referenceTaskIds: z.array(text).exactOptional(),
});

const artifact = z.strictObject({
  artifactId: text,
  name: text.exactOptional(),
  description: text.exactOptional(),
  parts,
  metadata: struct.exactOptional(),
  extensions: z.array(text).exactOptional(),
});

const status = z.strictObject({
  state: z.enum([
    'TASK_STATE_SUBMITTED',
    'TASK_STATE_WORKING',
    'TASK_STATE_COMPLETED',
    'TASK_STATE_FAILED',
    'TASK_STATE_CANCELED',
    'TASK_STATE_INPUT_REQUIRED',
    'TASK_STATE_REJECTED',
    'TASK_STATE_AUTH_REQUIRED',
  ]),
  message: message.exactOptional(),
  timestamp: timestamp.exactOptional(),
});

const task = z.strictObject({
  id: text,
  contextId: text,
  status,
  artifacts: z.array(artifact).exactOptional(),
  history: z.array(message).exactOptional(),
  metadata: struct.exactOptional(),
});

const statusUpdate = z.strictObject({ taskId: text, contextId: text, status, metadata: struct.exactOptional() });
const artifactUpdate = z.strictObject({
  taskId: text,
  contextId: text,
  artifact,
  append: z.boolean().exactOptional(),
  lastChunk: z.boolean().exactOptional(),
  metadata: struct.exactOptional(),
});

const streamResponse = z.union([
  z.strictObject({ task }),
  z.strictObject({ message }),
  z.strictObject({ statusUpdate }),
  z.strictObject({ artifactUpdate }),
]);
const sendMessageResponse = z.union([z.strictObject({ task }), z.strictObject({ message })]);
const listTasks = z.strictObject({
  tasks: z.array(task),
  nextPageToken: z.string(),
  pageSize: z.int().min(1).max(100),
  totalSize: z.int().nonnegative(),
});

const description = z.string().exactOptional();
const securityScheme = z.union([
  z.strictObject({
    apiKeySecurityScheme: z.strictObject({ description, location: z.enum(['query', 'header', 'cookie']), name: text }),
  }),
  z.strictObject({
    httpAuthSecurityScheme: z.strictObject({ description, scheme: text, bearerFormat: text.exactOptional() }),
  }),
  z.strictObject({ openIdConnectSecurityScheme: z.strictObject({ description, openIdConnectUrl: z.url() }) }),
  z.strictObject({ mtlsSecurityScheme: z.strictObject({ description }) }),
]);
const securityRequirement = z.strictObject({
  schemes: z.record(z.string(), z.strictObject({ list: z.array(text) })),
});

const agentCard = z.strictObject({
  name: text,
  description: text,
  version: text,
  supportedInterfaces: z
    .array(z.strictObject({ url: z.url(), protocolBinding: text, protocolVersion: text, tenant: text.exactOptional() }))
    .min(1),
  provider: z.strictObject({ organization: text, url: z.url() }).exactOptional(),
  documentationUrl: z.url().exactOptional(),
  iconUrl: z.url().exactOptional(),
  capabilities: z.strictObject({
    streaming: z.boolean().exactOptional(),
    pushNotifications: z.boolean().exactOptional(),
    extendedAgentCard: z.boolean().exactOptional(),
    extensions: z
      .array(
        z.strictObject({
          uri: text,
          description: text.exactOptional(),
          required: z.boolean().exactOptional(),
          params: struct.exactOptional(),
        }),
      )
      .exactOptional(),
  }),
  securitySchemes: z.record(z.string(), securityScheme).exactOptional(),
  securityRequirements: z.array(securityRequirement).exactOptional(),
  defaultInputModes: z.array(text).min(1),
  defaultOutputModes: z.array(text).min(1),
  skills: z
    .array(
      z.strictObject({
        id: text,
        name: text,
        description: text,
        tags: z.array(text).min(1),
        examples: z.array(text).exactOptional(),
        inputModes: z.array(text).exactOptional(),
        outputModes: z.array(text).exactOptional(),
        securityRequirements: z.array(securityRequirement).exactOptional(),
      }),
    )
    .min(1),
  signatures: z
    .array(z.strictObject({ protected: text, signature: text, header: struct.exactOptional() }))
    .exactOptional(),
});

const pushConfig = z.strictObject({
  tenant: text.exactOptional(),
  id: text,
  taskId: text,
  url: z.url(),
  token: text.exactOptional(),
  authentication: z.strictObject({ scheme: text, credentials: text.exactOptional() }).exactOptional(),
});
const pushConfigs = z.strictObject({ configs: z.array(pushConfig), nextPageToken: z.string() });

const errorInfo = z.strictObject({
  '@type': z.literal('type.googleapis.com/google.rpc.ErrorInfo'),
  reason: z.string().regex(/^[A-Z][A-Z0-9_]+$/),
  domain: text,
  metadata: z.record(z.string(), z.string()),
});
const badRequest = z.strictObject({
  '@type': z.literal('type.googleapis.com/google.rpc.BadRequest'),
  fieldViolations: z.array(z.strictObject({ field: z.string(), description: text })).min(1),
});
const retryInfo = z.strictObject({
  '@type': z.literal('type.googleapis.com/google.rpc.RetryInfo'),
  // google.protobuf.Duration
  retryDelay: z.string().regex(/^\d+(?:\.\d{1,9})?s$/),
});
const details = z.array(z.union([errorInfo, badRequest, retryInfo])).min(1);
const error = z.strictObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.int(), z.null()]),
  error: z
    .strictObject({ code: z.int(), message: text, data: details })
    .refine((e) => e.code > -32001 || e.code < -32099 || e.data.some((d) => d['@type'].endsWith('.ErrorInfo')), {
      error: "An error of A2A's own range carries ErrorInfo.",
    }),
});
const httpError = z.strictObject({
  error: z.strictObject({ code: z.int().min(400).max(599), status: text, message: text, details }),
});
/** An answer of the HTTP+JSON binding that holds an error. */
export type HttpErrorAnswer = z.infer<typeof httpError>;
/** Webhooks of a task. */
export type PushConfigs = z.infer<typeof pushConfigs>;
/** A JSON-RPC answer that holds an error. */
export type ErrorAnswer = z.infer<typeof error>;

function check(schema: z.ZodType, json: unknown): void {
  const result = schema.safeParse(json);
  if (!result.success) throw new Error(`${z.prettifyError(result.error)}\nin ${JSON.stringify(json, null, 2)}`);
}

/** The result of GetTask and CancelTask. */
export function assertTask(json: unknown): asserts json is Task {
  check(task, json);
}

/** One event of a stream: the `result` of a frame. */
export function assertStreamResponse(json: unknown): asserts json is StreamResponse {
  check(streamResponse, json);
}

/** The result of SendMessage. */
export function assertSendMessageResponse(json: unknown): asserts json is SendMessageResponse {
  check(sendMessageResponse, json);
}

/** The result of ListTasks. */
export function assertListTasks(json: unknown): asserts json is ListTasksResponse {
  check(listTasks, json);
}

/** A card in its pure 1.0 form. */
export function assertAgentCard(json: unknown): asserts json is AgentCard {
  check(agentCard, json);
}

/** The result of CreateTaskPushNotificationConfig and GetTaskPushNotificationConfig. */
export function assertPushConfig(json: unknown): asserts json is TaskPushNotificationConfig {
  check(pushConfig, json);
}

/** The result of ListTaskPushNotificationConfigs. */
export function assertPushConfigs(json: unknown): asserts json is PushConfigs {
  check(pushConfigs, json);
}

/** The `error` of an answer of the HTTP+JSON binding. */
export function assertHttpError(json: unknown): asserts json is HttpErrorAnswer {
  check(httpError, json);
}

/** A whole JSON-RPC answer with an error. */
export function assertError(json: unknown): asserts json is ErrorAnswer {
  check(error, json);
}
