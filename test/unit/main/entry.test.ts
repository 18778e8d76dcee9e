import { afterEach, describe, expect, it, vi } from 'vitest';
import { reportFailure } from '../../../main/entry.ts';
import { StartError, UsageError } from '../../../main/start-error.ts';
import { HOSTILE_STRINGS } from '../../support/hostile-corpus.ts';
import { rawDangers } from '../../support/raw-dangers.ts';

/** What a failure says on stderr. */
function told(error: unknown): { readonly code: number; readonly text: string } {
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const code = reportFailure(error);
  return { code, text: said.mock.calls.flat().join('\n') };
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a start that fails', () => {
  it('says what a person can mend in a sentence, and what is wrong with the call with 2', () => {
    expect(told(new StartError('The port is taken.'))).toEqual({ code: 1, text: 'The port is taken.' });
    vi.restoreAllMocks();
    expect(told(new UsageError('There is no flag --x.'))).toEqual({ code: 2, text: 'There is no flag --x.' });
  });

  it('shows the stack of a fault', () => {
    expect(told(new TypeError('x is no function')).text).toMatch(/^TypeError: x is no function\n\s+at /);
  });

  it('hides nothing of what the error quotes', () => {
    for (const text of HOSTILE_STRINGS) {
      expect(rawDangers(told(new StartError(text)).text)).toEqual([]);
      vi.restoreAllMocks();
      expect(rawDangers(told(new Error(text, { cause: text })).text)).toEqual([]);
      vi.restoreAllMocks();
    }
  });
});
