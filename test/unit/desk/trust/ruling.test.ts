import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { decide } from '../../../../main/desk/trust/decide.ts';
import { readTrust } from '../../../../main/desk/trust/read-trust.ts';
import { isHidden, rulingOn } from '../../../../main/desk/trust/ruling.ts';
import { handoffStateSchema, TERMINAL_STATES, type HandoffView } from '../../../../relay/contract/handoff.ts';
import { decisionSchema, type Decision } from '../../../../relay/contract/trust.ts';
import { LISTED, sampleView } from '../samples.ts';

const says = (layer: Decision['layer'], action: Decision['action']): Decision => ({ ...LISTED, layer, action });
const OPEN = handoffStateSchema.options.filter((state) => !TERMINAL_STATES.has(state));
const TAKEN: readonly Partial<HandoffView>[] = [
  { state: 'accepted' },
  { state: 'input_required' },
  { role: 'sender', last_actor: 'recipient' },
];

describe('what has just come', () => {
  it.each(['deliver', 'hold', 'reject'] as const)('is treated as the rules say: %s', (action) => {
    for (const layer of ['listed', 'unknown'] as const) {
      expect(rulingOn(sampleView(), says(layer, action))).toBe(action);
    }
  });

  it('is held where the rules cannot be read, and declined where somebody is blocked', () => {
    expect(rulingOn(sampleView(), decide(readTrust('version: 9'), 'alice@acme'))).toBe('hold');
    const blocked = readTrust('version: 1\nteammates: {alice@acme: {}}\nblocked: [alice@acme]\n');
    expect(rulingOn(sampleView(), decide(blocked, 'alice@acme'))).toBe('reject');
  });
});

describe('what a person has taken on, or sent', () => {
  it.each(TAKEN)('goes on, whatever the policy for unknown ones says (%j)', (over) => {
    for (const action of ['deliver', 'hold', 'reject'] as const) {
      expect(rulingOn(sampleView(over), says('unknown', action))).toBe('deliver');
    }
  });

  it.each(TAKEN)('is held where the peer is blocked, or nothing can be relied on (%j)', (over) => {
    for (const layer of ['blocked', 'unusable'] as const) {
      expect(rulingOn(sampleView(over), says(layer, 'reject'))).toBe('hold');
    }
  });
});

test('what is over is a record, and nothing is done about it', () => {
  for (const state of TERMINAL_STATES) {
    for (const layer of decisionSchema.shape.layer.options) {
      expect(rulingOn(sampleView({ state }), says(layer, 'reject'))).toBe('deliver');
    }
  }
});

test('nothing of somebody who is blocked is delivered', () => {
  const view = fc.record({
    role: fc.constantFrom('sender', 'recipient'),
    state: fc.constantFrom(...OPEN),
    last_actor: fc.constantFrom('sender', 'recipient', 'relay'),
  });
  fc.assert(
    fc.property(view, fc.constantFrom('blocked', 'unusable'), (over, layer) => {
      const action = layer === 'blocked' ? 'reject' : 'hold';
      const ruling = rulingOn(sampleView(over), says(layer, action));
      expect(ruling).not.toBe('deliver');
    }),
  );
});

describe('what is kept from coding agents', () => {
  const states = handoffStateSchema.options;

  test('is everything of those who are blocked, and everything while the rules cannot be read', () => {
    for (const layer of ['blocked', 'unusable'] as const) {
      for (const role of ['sender', 'recipient'] as const) {
        for (const state of states) expect(isHidden(sampleView({ role, state }), says(layer, 'hold'))).toBe(true);
      }
    }
  });

  test('of others is what came to us, and was never taken on, where the rules do not deliver it', () => {
    for (const action of ['hold', 'reject'] as const) {
      const hidden = states.filter((state) => isHidden(sampleView({ state }), says('unknown', action)));
      expect(hidden).toEqual(['pending', 'declined', 'cancelled']);
      for (const state of states) {
        expect(isHidden(sampleView({ state, role: 'sender' }), says('unknown', action))).toBe(false);
      }
    }
  });

  test('is nothing that the rules deliver', () => {
    for (const layer of ['listed', 'unknown'] as const) {
      for (const state of states) expect(isHidden(sampleView({ state }), says(layer, 'deliver'))).toBe(false);
    }
  });

  test('is whatever is held or declined, at least', () => {
    for (const state of states) {
      for (const role of ['sender', 'recipient'] as const) {
        for (const layer of decisionSchema.shape.layer.options) {
          for (const action of decisionSchema.shape.action.options) {
            const view = sampleView({ role, state });
            if (rulingOn(view, says(layer, action)) !== 'deliver' && action !== 'deliver') {
              expect(isHidden(view, says(layer, action))).toBe(true);
            }
          }
        }
      }
    }
  });
});
