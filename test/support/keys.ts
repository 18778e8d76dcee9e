import type { Scope } from '../../relay/contract/keys.ts';
import { keysSchema, newKeySchema, rotatedSchema, type KeyView, type Rotated } from '../../relay/contract/keys.ts';
import type { Json, JsonObject } from '../../relay/contract/json.ts';
import { A2aClient, type HttpAnswer } from './a2a-client.ts';

/** A request with a JSON body. */
export function post(client: A2aClient, path: string, body: Json, method = 'POST'): Promise<HttpAnswer> {
  return client.http(method, path, { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
}

/** The same agent with another key. */
export function withKey({ url, handle }: A2aClient, apiKey: string): A2aClient {
  return new A2aClient({ url, handle, apiKey });
}

/** The same agent with a new key that may do no more than this; `id` is the key's. */
export async function narrowed(
  client: A2aClient,
  scopes: readonly Scope[],
): Promise<A2aClient & { readonly id: string }> {
  const { status, body } = await post(client, '/v1/keys', { scopes: [...scopes] });
  if (status !== 200) throw new Error(`no key: ${body}`);
  const { id, api_key: apiKey } = newKeySchema.parse(JSON.parse(body));
  return Object.assign(withKey(client, apiKey), { id });
}

/** `GET /v1/keys` */
export async function keysOf(client: A2aClient): Promise<readonly KeyView[]> {
  const { status, body } = await client.http('GET', '/v1/keys');
  if (status !== 200) throw new Error(`no keys: ${body}`);
  return keysSchema.parse(JSON.parse(body)).keys;
}

/** Why something was refused, by the first reason in an answer of any form; undefined where it was not. */
export function reasonIn(text: string): string | undefined {
  return /"reason":"([A-Z_]+)"/.exec(text)?.[1];
}

/** `POST /v1/keys/rotate` */
export function rotate(client: A2aClient, body: JsonObject = {}): Promise<HttpAnswer> {
  return post(client, '/v1/keys/rotate', body);
}

/** The same, where it has to succeed. */
export async function rotated(client: A2aClient, body: JsonObject = {}): Promise<Rotated> {
  const answer = await rotate(client, body);
  if (answer.status !== 200) throw new Error(`not rotated: ${answer.body}`);
  return rotatedSchema.parse(JSON.parse(answer.body));
}

/** `DELETE /v1/keys/{id}` */
export function revoke(client: A2aClient, id: string): Promise<HttpAnswer> {
  return client.http('DELETE', `/v1/keys/${id}`);
}

/** Whether the relay takes the client's key. */
export async function works(client: A2aClient): Promise<boolean> {
  return (await client.http('GET', '/v1/keys')).status === 200;
}
