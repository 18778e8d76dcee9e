import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeHidden, printableJson } from '../../../relay/contract/printable-json.ts';
import { HOSTILE_STRINGS } from '../../support/hostile-corpus.ts';
import { rawDangers } from '../../support/raw-dangers.ts';

describe('printableJson', () => {
  it('writes what shows nothing as its number', () => {
    expect(printableJson({ name: 'a\u202eb\u200b\u009b\u{e0041}' })).toBe(
      String.raw`{"name":"a\u202eb\u200b\u009b\udb40\udc41"}`,
    );
  });

  it('leaves letters of every script, and quotes, as they are', () => {
    const value = { text: 'naïve "café" こんにちは 👍\n' };
    expect(printableJson(value)).toBe(JSON.stringify(value));
  });

  it('escapes the joiners of an emoji too: it is for programs', () => {
    expect(printableJson('👩‍💻')).toBe('"👩\\u200d💻"');
  });

  it('stays the same value, and hides nothing, for every hostile string as a value and as a name', () => {
    for (const text of HOSTILE_STRINGS) {
      const value = { [text]: [text, { text }] };
      const json = printableJson(value);
      expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)));
      expect([rawDangers(json), json.includes('\n')]).toEqual([[], false]);
    }
  });

  it('stays the same value, whatever it is', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        expect(JSON.parse(printableJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('is null where JSON has no form', () => {
    expect(printableJson(undefined)).toBe('null');
  });
});

describe('escapeHidden', () => {
  it('keeps the line feed at the end of a log line, and no other one', () => {
    expect(escapeHidden('{"a":"\u009b"}\n')).toBe('{"a":"\\u009b"}\n');
    expect(escapeHidden('{"a":1}\n{"b":2}\n')).toBe('{"a":1}\\u000a{"b":2}\n');
  });

  it('escapes half a surrogate pair', () => {
    expect(escapeHidden('"a\ud800"')).toBe('"a\\ud800"');
  });
});
