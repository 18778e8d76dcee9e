import { Agent, request, type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import type { ListTasksResponse, SendMessageResponse, StreamResponse, Task } from '../../relay/contract/a2a.ts';
import type { Json, JsonObject } from '../../relay/contract/json.ts';
import {
  assertError,
  assertListTasks,
  assertSendMessageResponse,
  assertStreamResponse,
  assertTask,
  type ErrorAnswer,
} from './a2a-1.0-schema.ts';
import { SseStream } from './sse.ts';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface CallOptions {
  /** The path, default the relay-wide endpoint. */
  readonly at?: string;
  /** Default 1. */
  readonly id?: Json;
  /** Added to, or with undefined taken from, those that every call has. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
}

/** What each method of A2A 1.0 answers with. */
interface Results {
  SendMessage: SendMessageResponse;
  GetTask: Task;
  CancelTask: Task;
  ListTasks: ListTasksResponse;
}

const asserts: { readonly [M in keyof Results]: (json: unknown) => asserts json is Results[M] } = {
  SendMessage: assertSendMessageResponse,
  GetTask: assertTask,
  CancelTask: assertTask,
  ListTasks: assertListTasks,
};

export type ErrorBody = ErrorAnswer['error'];

/**
 * A client of A2A 1.0 over JSON-RPC that is as strict as a reader can be: a result that is not exactly of its schema, an
 * id that is not the one that was sent, or an unexpected status, is an exception. It holds one agent's key.
 */
export class A2aClient {
  readonly url: string;
  readonly apiKey: string;
  readonly handle: string;
  /** One socket for a call; an agent of `node:http` would hide what the server does with connections. */
  readonly #agent: Agent;

  constructor(of: { readonly url: string; readonly apiKey: string; readonly handle?: string; readonly agent?: Agent }) {
    this.url = of.url;
    this.apiKey = of.apiKey;
    this.handle = of.handle ?? '';
    this.#agent = of.agent ?? new Agent({ keepAlive: false });
  }

  /** The name, which is the handle without the relay. */
  get name(): string {
    return this.handle.split('@')[0] ?? '';
  }

  /** An HTTP request with the key and nothing else. */
  async http(
    method: string,
    path: string,
    options: {
      readonly headers?: CallOptions['headers'];
      readonly body?: string | Uint8Array;
      readonly signal?: AbortSignal;
    } = {},
  ): Promise<HttpAnswer> {
    const response = await this.open(method, path, options);
    response.setEncoding('utf8');
    let body = '';
    for await (const text of response) body += String(text);
    return { status: response.statusCode ?? 0, headers: response.headers, body };
  }

  /** The same, up to the head of the answer. */
  open(
    method: string,
    path: string,
    {
      headers = {},
      body,
      signal,
    }: {
      readonly headers?: CallOptions['headers'];
      readonly body?: string | Uint8Array;
      readonly signal?: AbortSignal;
    } = {},
  ): Promise<IncomingMessage> {
    const all: OutgoingHttpHeaders = {};
    for (const [name, value] of Object.entries({ authorization: `Bearer ${this.apiKey}`, ...headers })) {
      if (value !== undefined) all[name] = value;
    }
    return new Promise((resolve, reject) => {
      const outgoing = request(
        // the path as it is: a URL object would tidy it
        {
          host: '127.0.0.1',
          port: new URL(this.url).port,
          method,
          path,
          headers: all,
          agent: this.#agent,
          ...(signal && { signal }),
        },
        resolve,
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  /** A JSON-RPC call, answered whatever way. */
  rpc(method: string, params: Json | undefined, options: CallOptions = {}): Promise<HttpAnswer> {
    return this.http('POST', options.at ?? '/a2a', this.#rpcRequest(method, params, options));
  }

  /** The result of a call that has to succeed. */
  async call<M extends keyof Results>(method: M, params: JsonObject, options: CallOptions = {}): Promise<Results[M]> {
    const answer = await this.rpc(method, params, options);
    const { result } = readAnswer(answer, options);
    const assert: (json: unknown) => asserts json is Results[M] = asserts[method];
    assert(result);
    return result;
  }

  /** The result of any call that has to succeed, in whatever generation: the caller checks it. */
  async result(method: string, params: JsonObject, options: CallOptions = {}): Promise<Json> {
    return readAnswer(await this.rpc(method, params, options), options).result as Json;
  }

  /** The result of a method of our extension, which answers in 0.3's shape. */
  async extension(
    method: 'tasks/update' | 'tasks/list',
    params: JsonObject,
    options: CallOptions = {},
  ): Promise<JsonObject> {
    const { result } = readAnswer(await this.rpc(method, params, options), options);
    if (typeof result !== 'object' || result === null) throw new Error(`no result: ${JSON.stringify(result)}`);
    return result as JsonObject;
  }

  /** The error of a call that has to fail, with the HTTP status 200. */
  async fail(method: string, params: Json | undefined, options: CallOptions = {}): Promise<ErrorBody> {
    return readError(await this.rpc(method, params, options), options);
  }

  /** A stream of a call that has to succeed. */
  async stream(
    method: 'SendStreamingMessage' | 'SubscribeToTask',
    params: JsonObject,
    options: CallOptions = {},
  ): Promise<A2aStream> {
    const response = await this.open('POST', options.at ?? '/a2a', this.#rpcRequest(method, params, options));
    const { id = 1 } = options;
    return new A2aStream(response, (json) => readEnvelope(json, id).result);
  }

  #rpcRequest(method: string, params: Json | undefined, { id = 1, headers = {}, signal }: CallOptions) {
    return {
      headers: { 'content-type': 'application/json', 'a2a-version': '1.0', ...headers },
      body: rpcBody(method, params, id),
      ...(signal && { signal }),
    };
  }
}

/** A stream of A2A 1.0, each frame checked: the schema, the id, and that it is no more than `data:` lines and comments. */
export class A2aStream {
  readonly sse: SseStream;
  readonly #unwrap: (json: unknown) => unknown;

  /** @param unwrap takes the event out of what its binding puts around it */
  constructor(response: IncomingMessage, unwrap: (json: unknown) => unknown) {
    if (response.statusCode !== 200 || response.headers['content-type'] !== 'text/event-stream') {
      throw new Error(`no stream: ${response.statusCode} ${response.headers['content-type']}`);
    }
    this.sse = new SseStream(response);
    this.#unwrap = unwrap;
  }

  /** The next frame; undefined when the stream has ended. */
  async next(): Promise<StreamResponse | undefined> {
    const event = await this.sse.next();
    if (event === undefined) return undefined;
    if (event.event !== '' || event.id !== undefined) throw new Error(`an A2A stream has no event names and no ids`);
    const json: unknown = JSON.parse(event.data);
    const frame = this.#unwrap(json);
    assertStreamResponse(frame);
    return frame;
  }

  async rest(): Promise<StreamResponse[]> {
    const all: StreamResponse[] = [];
    for (let frame = await this.next(); frame !== undefined; frame = await this.next()) all.push(frame);
    return all;
  }

  destroy(): void {
    this.sse.destroy();
  }
}

/** The error in an answer; the status has to be the one given. */
export function readError(answer: HttpAnswer, { id = 1 }: CallOptions = {}, status = 200): ErrorBody {
  if (answer.status !== status) throw new Error(`HTTP ${answer.status} ${answer.body}`);
  const json: unknown = JSON.parse(answer.body);
  assertError(json);
  if (json.id !== id) throw new Error(`another id: ${JSON.stringify(json.id)}`);
  return json.error;
}

function readAnswer(answer: HttpAnswer, { id = 1 }: CallOptions): { readonly result: unknown } {
  if (answer.status !== 200) throw new Error(`HTTP ${answer.status} ${answer.body}`);
  if (answer.headers['content-type']?.startsWith('application/json') !== true)
    throw new Error('an answer that is no JSON');
  return readEnvelope(JSON.parse(answer.body), id);
}

/** A JSON-RPC success, exactly. */
function readEnvelope(json: unknown, id: Json): { readonly result: unknown } {
  if (typeof json !== 'object' || json === null || !('result' in json))
    throw new Error(`no result: ${JSON.stringify(json)}`);
  const names = Object.keys(json).toSorted().join();
  if (names !== 'id,jsonrpc,result') throw new Error(`not a JSON-RPC answer: ${names}`);
  if (!('jsonrpc' in json) || json.jsonrpc !== '2.0') throw new Error('not JSON-RPC 2.0');
  if (!('id' in json) || json.id !== id) throw new Error(`another id: ${JSON.stringify(json)}`);
  return json;
}

/** The reason of an error, as ErrorInfo has it. */
export function reasonOf(error: ErrorBody): string | undefined {
  for (const detail of error.data) if ('reason' in detail) return detail.reason;
  return undefined;
}

/** Fields that BadRequest names. */
export function fieldsOf(error: ErrorBody): string[] {
  return error.data.flatMap((detail) =>
    'fieldViolations' in detail ? detail.fieldViolations.map(({ field }) => field) : [],
  );
}

/** A message of a sender, for params. */
export function message(messageId: string, more: JsonObject = {}): JsonObject {
  return { message: { messageId, role: 'ROLE_USER', parts: [{ text: `text of ${messageId}` }], ...more } };
}

/** The text of a JSON-RPC request. */
export function rpcBody(method: string, params: Json | undefined, id: Json = 1): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) });
}

/** The headers of a JSON-RPC request, for connections that are written by hand. */
export function headersOf({ apiKey, url }: A2aClient): Record<string, string> {
  return {
    host: new URL(url).host,
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
    'a2a-version': '1.0',
  };
}
