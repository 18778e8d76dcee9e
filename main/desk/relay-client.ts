import { z } from 'zod';
import { contactsSchema, contactViewSchema, type ContactView } from '../../relay/contract/contact.ts';
import {
  deadLettersSchema,
  redeliveredSchema,
  type DeadLetters,
  type Redelivered,
} from '../../relay/contract/dead-letter.ts';
import { threadPageSchema, type ThreadPage } from '../../relay/contract/event-schema.ts';
import { EXTENSION_URI, handoffViewSchema, type HandoffState, type HandoffView } from '../../relay/contract/handoff.ts';
import { invitedSchema, type Invited } from '../../relay/contract/invite.ts';
import type { Json, JsonObject } from '../../relay/contract/json.ts';
import { rotatedSchema, type Rotated } from '../../relay/contract/keys.ts';
import { RelayError } from '../../relay/contract/reasons.ts';
import type { Names } from './accounts/names.ts';
import type { Logger } from './options.ts';
import { createRelayRequest, parsed } from './relay-request.ts';
import { ConnectionError } from './trouble.ts';

export interface ListQuery {
  readonly role?: 'sender' | 'recipient';
  readonly states?: readonly HandoffState[];
  /** 1 to 100. */
  readonly limit: number;
  readonly cursor?: string;
  /** Whether the number of all that match is wanted. */
  readonly total?: boolean;
}

export interface HandoffPage {
  readonly views: readonly HandoffView[];
  readonly nextCursor: string;
  readonly total?: number;
}

/** `POST /v1/receipts`, one item. */
export interface Receipt {
  readonly task_id: string;
  readonly version: number;
  readonly state: 'surfaced' | 'acked' | 'held';
}

/**
 * One account's requests to its relay. Every function fails with a RelayError when the relay refused, with a
 * ConnectionError when it could not be asked or its answer did not arrive.
 */
export interface RelayClient {
  /** `SendMessage` (A2A 1.0.1 section 3.1.1): the handoff as it is afterwards. */
  sendMessage(params: JsonObject): Promise<HandoffView>;
  /** `tasks/update` of our extension. */
  updateTask(params: JsonObject): Promise<HandoffView>;
  /** `tasks/list` of our extension. `nextCursor` is empty on the last page; `total` is there when it was asked for. */
  listHandoffs(query: ListQuery, signal?: AbortSignal): Promise<HandoffPage>;
  /** The events of a thread after `after`, at most `limit`. */
  threadPage(taskId: string, after: number, limit: number): Promise<ThreadPage>;
  postReceipts(items: readonly Receipt[]): Promise<void>;
  /** What the account's webhooks did not take, newest first. */
  deadLetters(): Promise<DeadLetters>;
  /** Delivers again what was not delivered, or hands over again what ended without success. */
  redeliver(taskId: string): Promise<Redelivered>;
  /** Everybody with whom there is anything, in the order of their handles. */
  contacts(): Promise<readonly ContactView[]>;
  decideContact(handle: string, decision: 'accept' | 'decline' | 'remove'): Promise<ContactView>;
  setBlocked(handle: string, blocked: boolean): Promise<ContactView>;
  /** @param invite what the one who is invited will be, and for how long, in seconds */
  invite(handle: string, invite: { readonly role?: string; readonly expiresInS?: number }): Promise<Invited>;
  /** @param overlapS how long the old key goes on, seconds */
  rotateKey(apiKey: string, overlapS?: number): Promise<Rotated>;
}

export interface RelayClientOptions {
  /** The relay's base URL, asked for anew with each request. */
  readonly relay: () => Promise<string>;
  readonly apiKey: () => string;
  /** How handles of the relay are called here: they go in and come out so. */
  readonly names: Names;
  /** For one request, answer included; milliseconds. */
  readonly timeoutMs: number;
  readonly logger: Logger;
  /** Ends every request that is on its way: they fail with SHUTTING_DOWN. */
  readonly signal: AbortSignal;
}

/** More pages than any relay has: one that always has another one is none. */
export const MOST_PAGES = 10_000;

/** All that is read of a task. */
const taskSchema = z.object({ metadata: z.object({ [EXTENSION_URI]: handoffViewSchema }) });
type Task = z.infer<typeof taskSchema>;
const sendResultSchema = z.union([
  z.object({ task: taskSchema }),
  z.object({ message: z.object({ taskId: z.string() }) }),
]);
const listResultSchema = z.object({
  tasks: z.array(z.unknown()),
  next_cursor: z.string(),
  total: z.int().min(0).exactOptional(),
});
const rpcSchema = z.object({ result: z.unknown() });

export function createRelayClient(options: RelayClientOptions): RelayClient {
  const { logger, names, ...others } = options;
  const request = createRelayRequest(others);
  const viewOf = (task: Task): HandoffView => names.localView(task.metadata[EXTENSION_URI]);
  const contactOf = (contact: ContactView): ContactView => ({ ...contact, handle: names.local(contact.handle) });
  let calls = 0;

  async function rpc<T>(method: string, params: JsonObject, schema: z.ZodType<T>, signal?: AbortSignal): Promise<T> {
    calls += 1;
    const { result } = await request('/a2a', rpcSchema, {
      body: { jsonrpc: '2.0', id: calls, method, params },
      ...(signal && { signal }),
    });
    return parsed(schema, result);
  }

  async function threadPage(taskId: string, after: number, limit: number): Promise<ThreadPage> {
    const path = `/v1/tasks/${idInPath(taskId)}/events?after=${after}&limit=${limit}`;
    const page = await request(path, threadPageSchema);
    return { ...page, handoff: names.localView(page.handoff) };
  }

  return {
    threadPage,
    async sendMessage(params) {
      const result = await rpc('SendMessage', params, sendResultSchema);
      // an answer without a task (reply_only) is a message alone; how its handoff stands is asked for
      return 'task' in result ? viewOf(result.task) : (await threadPage(result.message.taskId, 0, 1)).handoff;
    },
    updateTask: async (params) => viewOf(await rpc('tasks/update', params, taskSchema)),
    async listHandoffs({ role, states, limit, cursor, total }, signal) {
      const params: JsonObject = {
        filter: { ...(role && { role }), ...(states && { status: states }) },
        page: { limit, ...(cursor !== undefined && { cursor }), ...(total === true && { total }) },
      };
      const page = await rpc('tasks/list', params, listResultSchema, signal);
      const views = page.tasks.flatMap((task) => {
        const read = taskSchema.safeParse(task);
        if (!read.success) logger.warn({ err: read.error }, 'a task in a list cannot be read and is left out');
        return read.success ? [viewOf(read.data)] : [];
      });
      return { views, nextCursor: page.next_cursor, ...(page.total !== undefined && { total: page.total }) };
    },
    async postReceipts(items) {
      await request('/v1/receipts', z.unknown(), { body: { items: items.map((item): Json => ({ ...item })) } });
    },
    deadLetters: () => request('/v1/dead-letters', deadLettersSchema),
    async contacts() {
      const all: ContactView[] = [];
      let cursor = '';
      let pages = 0;
      do {
        pages += 1;
        if (pages > MOST_PAGES) throw new ConnectionError({ kind: 'unreadable' });
        const page = await request(`/v1/contacts?limit=1000&cursor=${encodeURIComponent(cursor)}`, contactsSchema);
        all.push(...page.contacts.map(contactOf));
        cursor = page.next_cursor;
      } while (cursor !== '');
      return all;
    },
    async decideContact(peer, decision) {
      const handle = names.wire(peer);
      return contactOf(
        decision === 'remove'
          ? await request(`/v1/contacts/${encodeURIComponent(handle)}`, contactViewSchema, { method: 'DELETE' })
          : await request('/v1/contacts', contactViewSchema, { body: { handle, decision } }),
      );
    },
    async setBlocked(peer, blocked) {
      const handle = names.wire(peer);
      return contactOf(
        blocked
          ? await request('/v1/blocks', contactViewSchema, { body: { handle } })
          : await request(`/v1/blocks/${encodeURIComponent(handle)}`, contactViewSchema, { method: 'DELETE' }),
      );
    },
    invite: (peer, { role, expiresInS }) =>
      request('/v1/invites', invitedSchema, {
        body: { handle: names.wire(peer), ...(role && { role }), ...(expiresInS && { expires_in_s: expiresInS }) },
      }),
    rotateKey: (apiKey, overlapS) =>
      request('/v1/keys/rotate', rotatedSchema, {
        body: { api_key: apiKey, ...(overlapS !== undefined && { overlap_s: overlapS }) },
      }),
    redeliver: async (taskId) => request(`/v1/tasks/${idInPath(taskId)}/redeliver`, redeliveredSchema, { body: {} }),
  };
}

/** An id as one segment of a path. TASK_NOT_FOUND for one that would be another path, or none (RFC 3986 section 5.2.4). */
function idInPath(id: string): string {
  if (id !== '' && id !== '.' && id !== '..' && id.isWellFormed()) return encodeURIComponent(id);
  throw new RelayError('TASK_NOT_FOUND', 'There is no handoff with this id.');
}
