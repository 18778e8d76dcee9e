import { describe, expect, test, vi } from 'vitest';
import { lint } from './lint.ts';

// real tools are started here, and they share the machine with all other tests
vi.setConfig({ testTimeout: 120_000 });

/** A violation of each rule that the house lives by: the rule, the file, and what is wrong in it. */
const VIOLATIONS: readonly (readonly [rule: string, file: string, text: string])[] = [
  ['import(no-default-export)', 'relay/default.ts', 'export default function start(): void {}\n'],
  [
    'import(no-nodejs-modules)',
    'renderer/node.ts',
    "import { readFileSync } from 'node:fs';\nexport const text = (): string => readFileSync('x', 'utf8');\n",
  ],
  [
    'typescript(no-floating-promises)',
    'main/floating.ts',
    'const save = (): Promise<void> => Promise.resolve();\nexport function close(): void {\n  save();\n}\n',
  ],
  [
    'typescript(no-misused-promises)',
    'main/misused.ts',
    'const busy = (): Promise<boolean> => Promise.resolve(true);\nexport const state = (): string => (busy() ? "busy" : "idle");\n',
  ],
  [
    'typescript(await-thenable)',
    'main/awaited.ts',
    'const now = (): number => 1;\nexport const later = async (): Promise<number> => await now();\n',
  ],
  [
    'typescript(switch-exhaustiveness-check)',
    'relay/switch.ts',
    [
      "export function word(state: 'pending' | 'accepted' | 'declined'): string {",
      "  let said = '';",
      '  switch (state) {',
      "    case 'pending':",
      "      said = 'waits';",
      '      break;',
      "    case 'accepted':",
      "      said = 'runs';",
      '      break;',
      '  }',
      '  return said;',
      '}',
      '',
    ].join('\n'),
  ],
  ['typescript(no-explicit-any)', 'relay/any.ts', 'export const read = (value: any): string => String(value);\n'],
  [
    'typescript(no-non-null-assertion)',
    'relay/bang.ts',
    'export const first = (texts: readonly string[]): string => texts[0]!;\n',
  ],
  [
    'typescript(consistent-type-imports)',
    'main/type-import.ts',
    "import { Server } from 'node:http';\nexport const close = (server: Server): unknown => server.close();\n",
  ],
  ['typescript(ban-ts-comment)', 'relay/ignored.ts', "// @ts-ignore\nexport const port: number = 'seven';\n"],
  ['eslint(no-unused-vars)', 'relay/unused.ts', 'const left = 1;\nexport const right = 2;\n'],
  [
    'vitest(expect-expect)',
    'test/unit/empty.test.ts',
    "import { test } from 'vitest';\ntest('nothing', () => {\n  Math.random();\n});\n",
  ],
  [
    'vitest(no-focused-tests)',
    'test/unit/focused.test.ts',
    "import { expect, test } from 'vitest';\ntest.only('one of many', () => {\n  expect(1).toBe(1);\n});\n",
  ],
];

/** The same things, done right. */
const CLEAN: readonly (readonly [file: string, text: string])[] = [
  [
    'relay/word.ts',
    [
      "import { assertNever } from './contract/assert-never.ts';",
      "import type { State } from './contract/state.ts';",
      '',
      '/** How a state is called. */',
      'export function word(state: State): string {',
      '  switch (state) {',
      "    case 'pending':",
      "      return 'waits';",
      "    case 'accepted':",
      "      return 'runs';",
      '    default:',
      '      return assertNever(state);',
      '  }',
      '}',
      '',
    ].join('\n'),
  ],
  ['relay/contract/state.ts', "export type State = 'pending' | 'accepted';\n"],
  [
    'relay/contract/assert-never.ts',
    'export function assertNever(value: never): never {\n  throw new Error(`unexpected: ${String(value)}`);\n}\n',
  ],
  [
    'main/close.ts',
    [
      "import type { Server } from 'node:http';",
      '',
      'export async function close(server: Server): Promise<void> {',
      '  await new Promise((resolve) => server.close(resolve));',
      '}',
      '',
    ].join('\n'),
  ],
  ['relay.config.ts', 'export default { port: 7319 };\n'],
];

describe('the house rules', () => {
  test('fire on planted violations, each alone', () => {
    const found = lint(new Map(VIOLATIONS.map(([, file, text]) => [file, text])));
    const told = VIOLATIONS.map(([, file]) => [file, found.get(file)?.map(({ rule }) => rule)]);
    expect(told).toEqual(VIOLATIONS.map(([rule, file]) => [file, [rule]]));
  });

  test('find nothing in clean code', () => {
    const found = [...lint(new Map(CLEAN))].filter(([, list]) => list.length > 0);
    expect(found).toEqual([]);
  });

  test('find the ring in modules that import each other', () => {
    const found = lint(
      new Map([
        ['relay/a.ts', "import { b } from './b.ts';\nexport const a = (): number => b;\n"],
        ['relay/b.ts', "import { a } from './a.ts';\nexport const b = a();\n"],
      ]),
    );
    expect(
      found
        .get('relay/a.ts')
        ?.concat(found.get('relay/b.ts') ?? [])
        .map(({ rule }) => rule),
    ).toContain('import(no-cycle)');
  });
});
