import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Message as SdkMessage, Role, SendMessageRequest } from '@a2a-js/sdk';
import type { Message, Part } from '../../../relay/contract/a2a.ts';
import type { Json, JsonObject } from '../../../relay/contract/json.ts';
import { EXTENSION_URI } from '../../../relay/contract/handoff.ts';
import { isJsonObject } from '../../../relay/contract/json.ts';
import { decodeOperation } from '../../../relay/wire/a2a-1.0/decode.ts';
import { A2A_1_0 } from '../../../relay/wire/a2a-1.0/dialect.ts';
import { decodeExtension } from '../../../relay/wire/agentrelay/decode.ts';
import { encodeTask03 } from '../../../relay/wire/a2a-0.3/encode.ts';
import { parseJson } from '../../../relay/wire/json.ts';
import { readRequest } from '../../../relay/wire/json-rpc.ts';
import { assertStreamResponse } from '../../support/a2a-1.0-schema.ts';
import { MESSAGE } from './samples.ts';

const SEED = { seed: 20260131 };

/** What arrives when this is sent as the params of a method. */
function arrive(method: string, params: unknown): JsonObject | undefined {
  const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  return readRequest(parseJson(new TextEncoder().encode(text))).params;
}

function sent(message: unknown): Message {
  const operation = decodeOperation('SendMessage', arrive('SendMessage', { message }));
  if (operation.op !== 'send') throw new Error(operation.op);
  return operation.message;
}

/** JSON as it is after one trip: no -0, and no key that JSON text cannot name safely. */
const json = fc
  .jsonValue({ maxDepth: 4 })
  .filter((value) => !JSON.stringify(value).includes('__proto__'))
  .map((value): Json => JSON.parse(JSON.stringify(value)) as Json);
const object = fc
  .dictionary(fc.string({ unit: 'grapheme', maxLength: 8 }), json, { maxKeys: 4, noNullPrototype: true })
  .filter((o) => !Object.hasOwn(o, '__proto__') && !('recipient' in o) && !('kind' in o));
const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
const common = { mediaType: word, filename: word, metadata: object };
const requiredKeys = <T extends string>(name: T) => ({ requiredKeys: [name] });
const part: fc.Arbitrary<Part> = fc.oneof(
  fc.record({ text: fc.string({ unit: 'grapheme' }), ...common }, requiredKeys('text')),
  fc.record(
    { raw: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString('base64')), ...common },
    requiredKeys('raw'),
  ),
  fc.record({ url: fc.webUrl(), ...common }, requiredKeys('url')),
  fc.record({ data: json, ...common }, requiredKeys('data')),
);
const message: fc.Arbitrary<Message> = fc.record(
  {
    messageId: word,
    role: fc.constantFrom('ROLE_USER', 'ROLE_AGENT'),
    parts: fc.array(part, { minLength: 1, maxLength: 4 }),
    contextId: word,
    taskId: word,
    metadata: object,
    extensions: fc.array(word, { minLength: 1, maxLength: 3 }),
    referenceTaskIds: fc.array(word, { minLength: 1, maxLength: 3 }),
  },
  { requiredKeys: ['messageId', 'role', 'parts'] },
);

describe('a message', () => {
  test('comes out as it went in, metadata and data to the byte', () => {
    fc.assert(
      fc.property(message, (original) => {
        const decoded = sent(original);
        expect(decoded).toEqual(original);
        expect(JSON.stringify(decoded.metadata)).toBe(JSON.stringify(original.metadata));
        expect(JSON.stringify(decoded.parts)).toBe(JSON.stringify(inOrder(original.parts)));
      }),
      SEED,
    );
  });

  test('can be sent on, to a strict reader', () => {
    fc.assert(
      fc.property(message, (original) => {
        const json: unknown = JSON.parse(
          JSON.stringify(A2A_1_0.frames({})({ response: { message: sent(original) }, isLast: false })[0]),
        );
        assertStreamResponse(json);
        expect(json).toEqual({ message: original });
      }),
      SEED,
    );
  });

  test('of the official SDK is understood, and the SDK understands ours', () => {
    // the SDK loses data that is null
    const carried = message.filter(({ parts }) => parts.every((p) => !('data' in p) || p.data !== null));
    fc.assert(
      fc.property(carried, (original) => {
        const own = SdkMessage.fromJSON(original);
        expect(sent(SdkMessage.toJSON(own))).toEqual(original);
        expect(SdkMessage.toJSON(SdkMessage.fromJSON(sent(original)))).toEqual(original);
      }),
      SEED,
    );
  });

  test('survives the form of 0.3', () => {
    fc.assert(
      fc.property(message, (original) => {
        const [old] = [
          encodeTask03({ id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING', message: original } }),
        ];
        const status = old['status'] as { readonly message: JsonObject };
        const { taskId: _, ...untied } = status.message;
        const update = decodeExtension('tasks/update', arrive('tasks/update', { task_id: 't', message: untied }));
        expect(update.op === 'update' && update.message?.parts).toEqual(original.parts.map(withoutEmptyMetadata));
      }),
      SEED,
    );
  });
});

test('a send as the official SDK writes it is read', () => {
  const request = SendMessageRequest.toJSON(
    SendMessageRequest.fromJSON({
      tenant: 'bob',
      message: { ...MESSAGE, role: Role.ROLE_USER },
      configuration: { acceptedOutputModes: ['text/plain'], historyLength: 0, returnImmediately: true },
    }),
  );
  const own = MESSAGE.metadata?.[EXTENSION_URI];
  const ours = { ...(isJsonObject(own) ? own : {}), accepted_output_modes: ['text/plain'] };
  expect(decodeOperation('SendMessage', arrive('SendMessage', request))).toEqual({
    op: 'send',
    tenant: 'bob',
    message: { ...MESSAGE, metadata: { ...MESSAGE.metadata, [EXTENSION_URI]: ours } },
    meta: {},
    historyLength: 0,
    returnImmediately: true,
  });
});

/** Members of a part in the order in which the decoder writes them. */
function inOrder(parts: readonly Part[]): readonly unknown[] {
  return parts.map((p) => {
    const { mediaType, filename, metadata, ...content } = p;
    return { ...content, mediaType, filename, metadata };
  });
}

/** Metadata that holds nothing is not told from none, once something of ours was in it. */
function withoutEmptyMetadata(p: Part): Part {
  const marked =
    'data' in p || 'text' in p ? [p.mediaType, p.filename].some((one) => one !== undefined) || isWrapped(p) : false;
  if (!marked || p.metadata === undefined || Object.keys(p.metadata).length > 0) return p;
  const { metadata: _, ...rest } = p;
  return rest;
}

function isWrapped(p: Part): boolean {
  return 'data' in p && (typeof p.data !== 'object' || p.data === null || Array.isArray(p.data));
}
