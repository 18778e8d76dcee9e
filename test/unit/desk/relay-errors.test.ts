import { describe, expect, it } from 'vitest';
import { readRelayError } from '../../../main/desk/relay-errors.ts';
import { invalidParams, REASONS, RelayError } from '../../../relay/contract/reasons.ts';
import { errorBody } from '../../../relay/wire/json-rpc.ts';
import { httpErrorBody } from '../../../relay/wire/errors.ts';

/** As a relay writes it, over JSON-RPC and over plain HTTP. */
function bothForms(error: RelayError): unknown[] {
  return [JSON.parse(errorBody(1, error)), JSON.parse(httpErrorBody(error))];
}

describe('an error of a relay', () => {
  it.each(REASONS)('%s arrives as it was thrown', (reason) => {
    const thrown = new RelayError(reason, 'Do this.', { metadata: { taskId: 't1' } });
    for (const body of bothForms(thrown)) {
      expect(readRelayError(body)).toMatchObject({ reason, message: 'Do this.', metadata: { taskId: 't1' } });
    }
  });

  it('keeps the fields that are wrong', () => {
    for (const body of bothForms(invalidParams('message.parts', 'must not be empty'))) {
      expect(readRelayError(body)?.violations).toEqual([{ field: 'message.parts', description: 'must not be empty' }]);
    }
  });

  it('names a reason that only a newer relay knows, and keeps its sentence', () => {
    const body = { error: { code: -32000, message: 'Pay first.', data: [{ reason: 'PAYMENT_REQUIRED' }] } };
    expect(readRelayError(body)).toMatchObject({
      reason: 'INTERNAL',
      message: 'Pay first.',
      metadata: { relay_reason: 'PAYMENT_REQUIRED' },
    });
  });

  it('is INTERNAL when it gives no reason at all', () => {
    const error = readRelayError({ jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'Internal error' } });
    expect(error).toMatchObject({ reason: 'INTERNAL', message: 'Internal error', metadata: {}, violations: [] });
  });

  it('is none where there is none', () => {
    for (const body of [undefined, null, 'error', 7, [], {}, { result: {} }, { error: 'plain' }, { error: {} }]) {
      expect(readRelayError(body)).toBeUndefined();
    }
  });
});
