import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contactModeSchema, wordSchema, type ContactMode, type Word } from '../../../relay/contract/contact.ts';
import { admission, refusal, type Admission } from '../../../relay/identity/consent.ts';
import type { Scopes, Standing } from '../../../relay/store/ports.ts';

const MAY_ASK: Scopes = ['send', 'contacts'];
const MAY_NOT: Scopes = ['send', 'receive', 'admin'];

function between(word: Word | undefined, blocks: Partial<Standing> = {}): Standing {
  return { ...(word && { word }), isBlocked: false, hasBlocked: false, ...blocks };
}

describe('who is let in', () => {
  test.each<[Word | undefined, ContactMode, Scopes, Admission]>([
    ['accepted', 'ask', MAY_ASK, 'deliver'],
    ['accepted', 'closed', MAY_NOT, 'deliver'],
    ['declined', 'ask', MAY_ASK, 'declined'],
    ['declined', 'auto', MAY_ASK, 'declined'],
    ['requested', 'ask', MAY_ASK, 'wait'],
    ['requested', 'closed', MAY_ASK, 'wait'],
    ['requested', 'auto', MAY_ASK, 'befriend'],
    [undefined, 'ask', MAY_ASK, 'ask'],
    [undefined, 'auto', MAY_ASK, 'befriend'],
    [undefined, 'closed', MAY_ASK, 'declined'],
    [undefined, 'ask', MAY_NOT, 'may_not_ask'],
    [undefined, 'auto', MAY_NOT, 'may_not_ask'],
    [undefined, 'closed', MAY_NOT, 'may_not_ask'],
  ])('%s by somebody in mode %s, with %j: %s', (word, mode, scopes, expected) => {
    expect(admission(between(word), mode, scopes)).toBe(expected);
  });

  const anybody = fc.record({
    word: fc.option(fc.constantFrom(...wordSchema.options), { nil: undefined }),
    mode: fc.constantFrom(...contactModeSchema.options),
    scopes: fc.subarray(['send', 'receive', 'contacts', 'admin'] as const),
  });

  test('is nobody who is blocked, whatever was said before', () => {
    fc.assert(
      fc.property(anybody, fc.boolean(), ({ word, mode, scopes }, hasBlocked) => {
        expect(admission(between(word, { isBlocked: true, hasBlocked }), mode, scopes)).toBe('declined');
      }),
    );
  });

  test('is nobody who could not be answered, since the sender has blocked it', () => {
    fc.assert(
      fc.property(anybody, ({ word, mode, scopes }) => {
        expect(admission(between(word, { hasBlocked: true }), mode, scopes)).toBe('blocked_by_sender');
      }),
    );
  });

  test('is somebody else than a contact only where the recipient takes everybody', () => {
    fc.assert(
      fc.property(anybody, ({ word, mode, scopes }) => {
        const decided = admission(between(word), mode, scopes);
        if (decided === 'deliver') expect(word).toBe('accepted');
        if (decided === 'befriend') expect(mode).toBe('auto');
      }),
    );
  });
});

describe('what a sender is told who was not let in', () => {
  test.each([
    ['ask', 'CONTACT_REQUESTED'],
    ['wait', 'CONTACT_REQUESTED'],
    ['declined', 'CONTACT_DECLINED'],
    ['may_not_ask', 'CONTACT_REQUIRED'],
    ['blocked_by_sender', 'CONTACT_REQUIRED'],
  ] as const)('%s: %s', (decided, reason) => {
    const error = refusal(decided, 'alice@acme');
    expect(error).toMatchObject({ reason, metadata: { recipient: 'alice@acme' } });
    expect(error.message).toContain('alice@acme');
  });

  test('does not tell a block from a refusal', () => {
    const blocked = admission(between('accepted', { isBlocked: true }), 'ask', MAY_ASK);
    expect(blocked).toBe(admission(between('declined'), 'ask', MAY_ASK));
  });
});
