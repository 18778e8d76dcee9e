import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { NEW_TRUST } from '../../../../main/desk/trust/edit-trust.ts';
import { readTrust } from '../../../../main/desk/trust/read-trust.ts';
import { TRUST_SCHEMA, trustFileSchema } from '../../../../main/desk/trust/trust-schema.ts';

/** What the desk has to say about a file: nothing, a warning, or that it cannot be used. */
function saidOf(text: string): 'nothing' | 'something' {
  const state = readTrust(text);
  return state.kind === 'good' && state.warnings.length === 0 ? 'nothing' : 'something';
}

function shownOf(text: string): 'nothing' | 'something' {
  return trustFileSchema.safeParse(parse(text)).success ? 'nothing' : 'something';
}

const RULES = `version: 1
defaults: {auto_read: true, auto_test: false, auto_write_paths: [docs/], require_approval: [], live: never}
teammates:
  frank@acme: {live: auto}
  Mia@ACME:
  a.b-c_9@x.y: {}
unknown_teammates: {policy: reject}
blocked: [eve@acme]
`;

describe('the schema of trust.yaml', () => {
  it.each([
    NEW_TRUST,
    RULES,
    'version: 1',
    'version: 1.0',
    'version: 1\ndefaults:\nteammates:\nunknown_teammates:\nblocked:\n',
    'version: 1\nunknown_teammates: {}\n',
  ])('takes what the desk has no word to say about: %#', (text) => {
    expect([saidOf(text), shownOf(text)]).toEqual(['nothing', 'nothing']);
  });

  it.each([
    ['no version', 'teammates: {}'],
    ['another version', 'version: 2'],
    ['a version in quotes', 'version: "1"'],
    ['a list', '- version: 1'],
    ['a key that means nothing', 'version: 1\nlater: 1'],
    ['a slip in an entry', 'version: 1\nteammates: {frank@acme: {auto_raed: true}}'],
    ['a slip beside the policy', 'version: 1\nunknown_teammates: {polcy: hold}'],
    ['teammates as a list', 'version: 1\nteammates: [frank@acme]'],
    ['a teammate as a word', 'version: 1\nteammates: {frank@acme: yes}'],
    ['a name without its relay', 'version: 1\nteammates: {frank: {}}'],
    ['letters that look alike', 'version: 1\nblocked: [fr\u0430nk@acme]'],
    ['a name that is too long', `version: 1\nblocked: [${'x'.repeat(65)}@acme]`],
    ['a dot at the end', 'version: 1\nblocked: [frank.@acme]'],
    ['a flag as a word', 'version: 1\ndefaults: {auto_test: yes}'],
    ['no value for a flag', 'version: 1\ndefaults: {auto_test: }'],
    ['a path alone', 'version: 1\ndefaults: {auto_write_paths: docs/}'],
    ['an empty path', 'version: 1\ndefaults: {auto_write_paths: [""]}'],
    ['tools as numbers', 'version: 1\ndefaults: {require_approval: [1]}'],
    ['another way of live', 'version: 1\ndefaults: {live: always}'],
    ['another policy', 'version: 1\nunknown_teammates: {policy: allow}'],
    ['no policy', 'version: 1\nunknown_teammates: {policy: }'],
    ['blocked as a word', 'version: 1\nblocked: eve@acme'],
    ['a blocked one that is none', 'version: 1\nblocked: [eve]'],
  ])('marks what the desk says something about: %s', (_what, text) => {
    expect([saidOf(text), shownOf(text)]).toEqual(['something', 'something']);
  });

  it('agrees with the desk about any file, as far as values go', () => {
    const odd = fc.constantFrom<unknown>(null, 0, 1, '', 'x', true, [], {}, [''], ['docs/'], { x: 1 }, 'auto', 'hold');
    const mostly = (good: fc.Arbitrary<unknown>) =>
      fc.oneof({ weight: 40, arbitrary: good }, { weight: 1, arbitrary: odd });
    const list = mostly(fc.array(fc.constantFrom('docs/', 'a.md', 'Bash'), { maxLength: 2 }));
    const grants = mostly(
      fc.record(
        {
          auto_read: mostly(fc.boolean()),
          auto_test: mostly(fc.boolean()),
          auto_write_paths: list,
          require_approval: list,
          live: mostly(fc.constantFrom('auto', 'ask', 'never')),
        },
        { requiredKeys: [] },
      ),
    );
    const handle = fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom('frank@acme', 'mia@acme', 'ext-bot@vendor.example') },
      { weight: 1, arbitrary: fc.constantFrom('frank', 'a@b@c', '-x@acme', 'x@acme-', '@acme', 'x y@acme') },
    );
    const file = fc.record(
      {
        version: mostly(fc.constant(1)),
        defaults: grants,
        teammates: mostly(fc.dictionary(handle, grants, { maxKeys: 3 })),
        unknown_teammates: mostly(
          fc.record(
            { policy: mostly(fc.constantFrom('reject', 'hold', 'allow_with_default_trust')) },
            { requiredKeys: [] },
          ),
        ),
        blocked: mostly(fc.uniqueArray(handle, { maxLength: 3 })),
      },
      { requiredKeys: ['version'] },
    );
    const later = fc.record({ version: fc.constant(1), later: odd });
    const seen = { nothing: 0, something: 0 };
    fc.assert(
      fc.property(fc.oneof({ weight: 9, arbitrary: file }, { weight: 1, arbitrary: later }), (value) => {
        const text = stringify(value);
        const said = saidOf(text);
        seen[said] += 1;
        expect(shownOf(text)).toBe(said);
      }),
      { numRuns: 300 },
    );
    // both kinds of files were tried
    expect(Math.min(seen.nothing, seen.something)).toBeGreaterThan(10);
  });

  it('is JSON Schema that an editor can show: what there is, what it means, and nothing else', () => {
    const schema = JSON.parse(TRUST_SCHEMA) as {
      $schema: string;
      required: string[];
      additionalProperties: boolean;
      properties: Record<string, { description: string }>;
    };
    expect(schema).toMatchObject({
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      required: ['version'],
      additionalProperties: false,
      properties: { version: { const: 1 } },
    });
    expect(Object.keys(schema.properties)).toEqual([
      'version',
      'defaults',
      'teammates',
      'unknown_teammates',
      'blocked',
    ]);
    for (const { description } of Object.values(schema.properties)) expect(description).toMatch(/\w{3}.*\.$/);
    const [pattern = ''] = /"\^[^"]*@[^"]*\$"/.exec(TRUST_SCHEMA) ?? [];
    expect(new RegExp(JSON.parse(pattern) as string).test('Frank@acme')).toBe(true);
  });
});
