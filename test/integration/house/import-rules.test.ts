import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { ROOT } from '../../support/project-root.ts';
import { IMPORT_RULE, lint } from './lint.ts';

// real tools are started here, and they share the machine with all other tests
vi.setConfig({ testTimeout: 120_000 });

const ELECTRON = 'Only main/electron imports electron.';
const SQLITE = 'Only relay/store/sqlite imports better-sqlite3.';
const MAIN = 'relay imports nothing of main.';
const RENDERER = 'Nothing outside renderer imports renderer.';
const TEST = 'Nothing but tests imports test.';
const MAIN_ELECTRON = 'Nothing outside main/electron imports main/electron.';
const CONTRACT = 'relay/contract imports zod and itself, nothing else.';
const WIRE_PACKAGES = 'relay/wire is pure: it imports no package but zod and no module of Node.';
const WIRE_ROOMS = 'relay/wire is pure: it imports no room that does I/O.';
const DIALECT = 'relay/handoffs knows no dialect: it imports nothing of relay/wire.';
const HTTP_ROOM = 'relay/handoffs knows no HTTP: it imports nothing of relay/http.';
const HTTP = 'relay/handoffs knows no HTTP: it imports no server and no socket.';
const OUTSIDE = 'renderer imports relay/contract and nothing else from outside.';
const PRELOAD = 'The preload imports only types of relay/contract: a value would bring zod along.';

/** Folder, what a file in it must not import, and what the linter has to say. */
const FORBIDDEN: readonly (readonly [folder: string, imported: string, says: string])[] = [
  ['relay', 'electron', ELECTRON],
  ['relay', 'better-sqlite3', SQLITE],
  ['relay', '../main/app.ts', MAIN],
  ['relay', '../renderer/app.tsx', RENDERER],
  ['relay', '../test/support/x.ts', TEST],
  ['relay/operations', '../../main/desk/desk.ts', MAIN],
  ['relay/operations', '../../renderer/state/reducer.ts', RENDERER],
  ['relay/hub', 'electron/main', ELECTRON],
  ['relay/http', 'better-sqlite3', SQLITE],
  ['relay/store', 'better-sqlite3', SQLITE],
  ['relay/store/sqlite', 'electron', ELECTRON],
  ['relay/store/sqlite', '../../../main/app.ts', MAIN],
  ['relay/store/sqlite', '../../../renderer/app.tsx', RENDERER],
  ['relay/store/sqlite/migrations', '../../../../test/support/x.ts', TEST],
  ['relay/contract', 'node:crypto', CONTRACT],
  ['relay/contract', 'fs', CONTRACT],
  ['relay/contract', 'fastify', CONTRACT],
  ['relay/contract', 'electron', CONTRACT],
  ['relay/contract', '@types/node', CONTRACT],
  ['relay/contract', '../wire/errors.ts', CONTRACT],
  ['relay/contract', '../store/ports.ts', CONTRACT],
  ['relay/contract', '../../main/app.ts', CONTRACT],
  ['relay/wire', 'node:crypto', WIRE_PACKAGES],
  ['relay/wire', 'http', WIRE_PACKAGES],
  ['relay/wire', 'zone', WIRE_PACKAGES],
  ['relay/wire', 'fastify', WIRE_PACKAGES],
  ['relay/wire', '@a2a-js/sdk', WIRE_PACKAGES],
  ['relay/wire', 'electron', WIRE_PACKAGES],
  ['relay/wire/a2a-1.0', 'better-sqlite3', WIRE_PACKAGES],
  ['relay/wire/a2a-1.0', '../../store/ports.ts', WIRE_ROOMS],
  ['relay/wire', '../hub/hub.ts', WIRE_ROOMS],
  ['relay/wire', '../http/routes.ts', WIRE_ROOMS],
  ['relay/wire', '../identity/keys.ts', WIRE_ROOMS],
  ['relay/wire', '../../main/app.ts', MAIN],
  ['relay/wire', '../../renderer/app.tsx', RENDERER],
  ['relay/wire', '../../test/support/x.ts', TEST],
  ['relay/handoffs', '../wire/errors.ts', DIALECT],
  ['relay/handoffs', '../wire/a2a-1.0/decode.ts', DIALECT],
  ['relay/handoffs', '../http/routes.ts', HTTP_ROOM],
  ['relay/handoffs', 'node:http', HTTP],
  ['relay/handoffs', 'net', HTTP],
  ['relay/handoffs', 'fastify', HTTP],
  ['relay/handoffs', 'electron', ELECTRON],
  ['relay/handoffs', 'better-sqlite3', SQLITE],
  ['relay/handoffs', '../../main/app.ts', MAIN],
  ['relay/handoffs', '../../renderer/app.tsx', RENDERER],
  ['relay/handoffs', '../../test/support/x.ts', TEST],
  ['main', 'electron', ELECTRON],
  ['main/desk', 'electron', ELECTRON],
  ['main/mcp', 'electron/renderer', ELECTRON],
  ['main/cli', 'electron', ELECTRON],
  ['main/browser', 'electron', ELECTRON],
  ['main', './electron/tray.ts', MAIN_ELECTRON],
  ['main/desk', '../electron/tray.ts', MAIN_ELECTRON],
  ['main/desk', 'better-sqlite3', SQLITE],
  ['main/browser', '../../renderer/app.tsx', RENDERER],
  ['main/cli', '../../test/support/x.ts', TEST],
  ['main/electron', 'better-sqlite3', SQLITE],
  ['main/electron', '../../renderer/app.tsx', RENDERER],
  ['main/electron', '../../test/support/x.ts', TEST],
  ['renderer', 'electron', ELECTRON],
  ['renderer', 'better-sqlite3', SQLITE],
  ['renderer', '../relay/wire/errors.ts', OUTSIDE],
  ['renderer/state', '../../relay/handoffs/machine.ts', OUTSIDE],
  ['renderer/state', '../../relay/server.ts', OUTSIDE],
  ['renderer/state', '../../main/desk/desk.ts', OUTSIDE],
  ['renderer', '../test/support/x.ts', OUTSIDE],
  ['renderer', '../scripts/x.mjs', OUTSIDE],
  ['.', 'electron', ELECTRON],
  ['.', 'better-sqlite3', SQLITE],
  ['.', './renderer/app.tsx', RENDERER],
];

/** What each room may import: the same rules must leave it alone. */
const ALLOWED: readonly (readonly [folder: string, imported: string])[] = [
  ['relay', 'fastify'],
  ['relay', 'node:http'],
  ['relay', './wire/errors.ts'],
  ['relay/operations', '../contract/a2a.ts'],
  ['relay/hub', '../wire/sse.ts'],
  ['relay/store/sqlite', 'better-sqlite3'],
  ['relay/store/sqlite', '../../contract/a2a.ts'],
  ['relay/contract', 'zod'],
  ['relay/contract', './a2a.ts'],
  ['relay/wire', 'zod'],
  ['relay/wire', './errors.ts'],
  ['relay/wire', '../contract/a2a.ts'],
  ['relay/wire/a2a-1.0', '../../contract/a2a.ts'],
  ['relay/wire/a2a-1.0', '../../operations/operation.ts'],
  ['relay/wire/a2a-1.0', '../errors.ts'],
  ['relay/handoffs', '../store/ports.ts'],
  ['relay/handoffs', 'node:crypto'],
  ['main', './desk/desk.ts'],
  ['main', '../relay/server.ts'],
  ['main/desk', '../../relay/contract/desk-api.ts'],
  ['main/desk', 'node:fs'],
  ['main/electron', 'electron'],
  ['main/electron', '../app.ts'],
  ['main/electron', './tray.ts'],
  ['renderer', 'react'],
  ['renderer', './app.tsx'],
  ['renderer', '../relay/contract/desk-api.ts'],
  ['renderer/state', '../../relay/contract/reasons.ts'],
  ['test/unit', '../../main/desk/desk.ts'],
  ['test/unit', '../../renderer/state/reducer.ts'],
  ['test/unit', 'better-sqlite3'],
  ['scripts', '../relay/wire/errors.ts'],
];

/** Every way in which a module can name another. */
const FORMS: Record<string, (imported: string) => string> = {
  import: (from) => `import { x } from '${from}';\nexport const y: unknown = x;\n`,
  'import type': (from) => `import type { X } from '${from}';\nexport type Y = X;\n`,
  'import for its effect': (from) => `import '${from}';\n`,
  'export … from': (from) => `export { x } from '${from}';\n`,
  'export type … from': (from) => `export type { X } from '${from}';\n`,
  'export * from': (from) => `export * from '${from}';\n`,
  'import()': (from) => `export const later = (): Promise<unknown> => import('${from}');\n`,
};

/** One file for each case and form; the path says which, by number. */
function plant(cases: readonly (readonly [folder: string, imported: string, ...unknown[]])[]): Map<string, string> {
  return new Map(
    cases.flatMap(([folder, imported], number) =>
      Object.values(FORMS).map((form, at) => [plantedPath(folder, number, at), form(imported)] as const),
    ),
  );
}
const plantedPath = (folder: string, number: number, form: number): string =>
  `${folder === '.' ? '' : `${folder}/`}planted-${number}-${form}.ts`;

describe('the import rules', () => {
  test('fire on every forbidden import in every form, each with its own message and nothing else', () => {
    const findings = lint(plant(FORBIDDEN));
    const wrong = FORBIDDEN.flatMap(([folder, imported, says], number) =>
      Object.keys(FORMS).flatMap((form, at) => {
        const found = findings.get(plantedPath(folder, number, at)) ?? [];
        const asExpected = found.length === 1 && found[0]?.rule === IMPORT_RULE && found[0].says === says;
        return asExpected ? [] : [{ folder, imported, form, says, found }];
      }),
    );
    expect(wrong).toEqual([]);
  });

  test('leave every allowed import alone, in every form', () => {
    const found = [...lint(plant(ALLOWED))].filter(([, findings]) => findings.length > 0);
    expect(found).toEqual([]);
  });

  test('let the preload import types of the relay, and no values', () => {
    const foundIn = (forms: readonly string[]) => {
      const text = forms.map((form, at) =>
        FORMS[form]?.(`../../relay/contract/part-${at}.ts`).replaceAll('Y', `Y${at}`),
      );
      return lint(new Map([['main/electron/preload.ts', text.join('')]])).get('main/electron/preload.ts');
    };
    const values = ['import', 'import for its effect', 'export * from', 'import()'];
    expect(foundIn(values)).toEqual(values.map(() => ({ rule: IMPORT_RULE, says: PRELOAD })));
    expect(foundIn(['import type', 'export type … from'])).toEqual([]);
  });

  test('are all tried here: there is a violation for every message in the configuration', () => {
    const patterns = z.object({ patterns: z.array(z.object({ message: z.string() })) });
    const rules = z.object({
      'no-restricted-imports': z.union([z.literal('off'), z.tuple([z.literal('error'), patterns])]).optional(),
    });
    const config = z
      .object({ rules, overrides: z.array(z.object({ files: z.array(z.string()), rules })) })
      .parse(JSON.parse(readFileSync(join(ROOT, '.oxlintrc.json'), 'utf8')));
    const configured = [config, ...config.overrides]
      .map((section) => section.rules['no-restricted-imports'])
      .flatMap((rule) => (rule === undefined || rule === 'off' ? [] : rule[1].patterns.map(({ message }) => message)));
    expect(new Set([...FORBIDDEN.map(([, , says]) => says), PRELOAD])).toEqual(new Set(configured));
  });
});
