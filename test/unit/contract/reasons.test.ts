import { describe, expect, it } from 'vitest';
import { invalidParams, RelayError } from '../../../relay/contract/reasons.ts';
import { HOSTILE_STRINGS } from '../../support/hostile-corpus.ts';
import { rawDangers, rawDangersIn } from '../../support/raw-dangers.ts';

describe('a RelayError', () => {
  it('says what it was made with', () => {
    const error = new RelayError('RECIPIENT_NOT_FOUND', 'There is no agent “mia”.', { metadata: { recipient: 'mia' } });
    expect(error).toMatchObject({
      reason: 'RECIPIENT_NOT_FOUND',
      message: 'There is no agent “mia”.',
      metadata: { recipient: 'mia' },
      violations: [],
    });
  });

  it('hides nothing of what it quotes, wherever it quotes it', () => {
    for (const text of HOSTILE_STRINGS) {
      const { message, metadata, violations } = new RelayError('INVALID_PARAMS', `Not ${text}.`, {
        metadata: { text },
        violations: [{ field: text, description: `is ${text}` }],
      });
      expect([rawDangers(message), rawDangersIn({ metadata, violations })]).toEqual([[], []]);
    }
    expect(invalidParams('as', 'is \u202e.').message).toBe('as: is ⟨U+202E⟩.');
  });
});
