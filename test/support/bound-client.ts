import type {
  AgentCard,
  ListTasksResponse,
  SendMessageResponse,
  Task,
  TaskPushNotificationConfig,
} from '../../relay/contract/a2a.ts';
import type { JsonObject } from '../../relay/contract/json.ts';
import {
  assertAgentCard,
  assertHttpError,
  assertListTasks,
  assertPushConfig,
  assertPushConfigs,
  assertSendMessageResponse,
  assertTask,
  type PushConfigs,
} from './a2a-1.0-schema.ts';
import { A2aStream, readError, type A2aClient, type CallOptions, type HttpAnswer } from './a2a-client.ts';
import { httpCall, type Method } from './http-call.ts';

/** The bindings that a relay speaks A2A 1.0 over. */
export const BINDINGS = ['JSON-RPC', 'HTTP+JSON'] as const;
export type Binding = (typeof BINDINGS)[number];

/** What each method answers with. */
interface Results {
  SendMessage: SendMessageResponse;
  GetTask: Task;
  ListTasks: ListTasksResponse;
  CancelTask: Task;
  CreateTaskPushNotificationConfig: TaskPushNotificationConfig;
  GetTaskPushNotificationConfig: TaskPushNotificationConfig;
  ListTaskPushNotificationConfigs: PushConfigs;
  DeleteTaskPushNotificationConfig: unknown;
  GetExtendedAgentCard: AgentCard;
}

/** An empty object. */
function assertNothing(json: unknown): void {
  if (JSON.stringify(json) !== '{}') throw new Error(`more than nothing: ${JSON.stringify(json)}`);
}

const asserts: { readonly [M in keyof Results]: (json: unknown) => asserts json is Results[M] } = {
  SendMessage: assertSendMessageResponse,
  GetTask: assertTask,
  ListTasks: assertListTasks,
  CancelTask: assertTask,
  CreateTaskPushNotificationConfig: assertPushConfig,
  GetTaskPushNotificationConfig: assertPushConfig,
  ListTaskPushNotificationConfigs: assertPushConfigs,
  DeleteTaskPushNotificationConfig: assertNothing,
  GetExtendedAgentCard: assertAgentCard,
};

/** A refusal, the same whatever the binding. */
export interface Failure {
  /** The JSON-RPC code, or the HTTP status. */
  readonly code: number;
  readonly message: string;
  readonly reason: string | undefined;
  /** Of the ErrorInfo. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Fields that BadRequest names, with what is wrong with each. */
  readonly violations: Readonly<Record<string, string>>;
}

/** One agent's client over one binding, as strict as A2aClient. Calls go to alice's endpoint unless told otherwise. */
export class BoundClient {
  readonly binding: Binding;
  readonly client: A2aClient;

  constructor(binding: Binding, client: A2aClient) {
    this.binding = binding;
    this.client = client;
  }

  /** The result of a call that has to succeed, exact to its schema. */
  async call<M extends keyof Results>(method: M, params: JsonObject = {}, options?: CallOptions): Promise<Results[M]> {
    const result = this.#result(await this.answer(method, params, options));
    const assert: (json: unknown) => asserts json is Results[M] = asserts[method];
    assert(result);
    return result;
  }

  /** The task that comes of a message. */
  async send(params: JsonObject, options?: CallOptions): Promise<Task> {
    const answer = await this.call('SendMessage', params, options);
    if (!('task' in answer)) throw new Error('a message, where a task was expected');
    return answer.task;
  }

  /** The refusal of a call that has to fail. */
  async fail(method: Method, params: JsonObject = {}, options?: CallOptions): Promise<Failure> {
    return this.failure(await this.answer(method, params, options));
  }

  /** The refusal in an answer. */
  failure(answer: HttpAnswer): Failure {
    const { code, message, details } = this.#error(answer);
    const info = details.find((detail) => 'reason' in detail);
    const violations = details.flatMap((detail) => ('fieldViolations' in detail ? detail.fieldViolations : []));
    return {
      code,
      message,
      reason: info?.reason,
      metadata: info?.metadata ?? {},
      violations: Object.fromEntries(violations.map(({ field, description }) => [field, description])),
    };
  }

  /** The stream of a call that has to succeed. */
  async stream(
    method: 'SendStreamingMessage' | 'SubscribeToTask',
    params: JsonObject,
    options: CallOptions = {},
  ): Promise<A2aStream> {
    if (this.binding === 'JSON-RPC') return this.client.stream(method, params, { at: '/a/alice', ...options });
    const { verb, path, request } = httpCall(method, params, options);
    return new A2aStream(await this.client.open(verb, path, request), (json) => json);
  }

  /** Whatever a call is answered with. */
  answer(method: Method, params: JsonObject = {}, options: CallOptions = {}): Promise<HttpAnswer> {
    if (this.binding === 'JSON-RPC') return this.client.rpc(method, params, { at: '/a/alice', ...options });
    const { verb, path, request } = httpCall(method, params, options);
    return this.client.http(verb, path, request);
  }

  #result({ status, body }: HttpAnswer): unknown {
    if (status !== 200) throw new Error(`HTTP ${status} ${body}`);
    const json: unknown = JSON.parse(body);
    if (this.binding === 'HTTP+JSON') return json;
    if (typeof json !== 'object' || json === null || !('result' in json)) throw new Error(`no result: ${body}`);
    return json.result;
  }

  #error(answer: HttpAnswer) {
    if (this.binding === 'JSON-RPC') {
      // who is refused before the body is read has no id yet
      const { data, ...error } = readError(answer, { id: answer.status === 200 ? 1 : null }, answer.status);
      return { ...error, details: data };
    }
    const json: unknown = JSON.parse(answer.body);
    assertHttpError(json);
    if (json.error.code !== answer.status) throw new Error(`HTTP ${answer.status} ${answer.body}`);
    return json.error;
  }
}
