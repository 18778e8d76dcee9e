import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ROOT } from '../../support/project-root.ts';
import { filesUnder } from './source-files.ts';

const names = z.record(z.string(), z.string()).default({});
const packageSchema = z.object({
  dependencies: names,
  devDependencies: names,
  optionalDependencies: names,
  peerDependencies: names,
  allowScripts: z.record(z.string(), z.boolean()).default({}),
  license: z.string().optional(),
});
const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      integrity: z.string().optional(),
      resolved: z.string().optional(),
      link: z.boolean().optional(),
      hasInstallScript: z.boolean().optional(),
    }),
  ),
});
const readPackage = (folder: string) => packageSchema.parse(readJson(join(folder, 'package.json')));
const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

const own = readPackage(ROOT);
const lock = lockSchema.parse(readJson(join(ROOT, 'package-lock.json')));
const locked = Object.entries(lock.packages).filter(([path]) => path !== '');

describe('the lock file', () => {
  test('has a checksum for every package, so that no registry can slip in another one', () => {
    expect(locked.length).toBeGreaterThan(100);
    expect(locked.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path)).toEqual([]);
  });

  test('names no registry: it works behind a mirror', () => {
    expect(locked.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  });

  test('links nothing from outside', () => {
    expect(locked.filter(([, { link }]) => link === true)).toEqual([]);
  });
});

describe('package.json', () => {
  test('pins every version exactly', () => {
    const all = { ...own.dependencies, ...own.devDependencies, ...own.optionalDependencies };
    const loose = Object.entries(all).filter(
      ([, version]) => !/^(npm:[@\w/.-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
    );
    expect(loose).toEqual([]);
  });

  test('denies every install script that there is, by name', () => {
    const withScript = locked
      .filter(
        ([path, { hasInstallScript }]) => hasInstallScript === true || existsSync(join(ROOT, path, 'binding.gyp')),
      )
      .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));
    expect(withScript.filter((name) => own.allowScripts[name] !== false)).toEqual([]);
    expect(Object.values(own.allowScripts)).not.toContain(true);
  });
});

/** The folder from which a package of that name is loaded, looked for as Node does. */
function findPackage(name: string, from: string): string | undefined {
  const folder = join(from, 'node_modules', name);
  if (existsSync(join(folder, 'package.json'))) return folder;
  return from === ROOT || !from.startsWith(ROOT) ? undefined : findPackage(name, dirname(from));
}

/** How a module names another one by a package's name. */
const IMPORTS = [
  /^(?:import|export|\}).* from '([^'.][^']*)';$/gm,
  /^import '([^'.][^']*)';$/gm,
  /\bimport\('([^'.][^']*)'\)/g,
];

/** The packages that the product's own modules import. */
function importedPackages(): ReadonlySet<string> {
  const specifiers = filesUnder(['relay', 'main', 'renderer'], ['.ts', '.tsx']).flatMap(({ text }) =>
    IMPORTS.flatMap((form) => [...text.matchAll(form)].map(([, specifier]) => specifier ?? '')),
  );
  const packages = specifiers
    .filter((specifier) => !specifier.startsWith('node:'))
    .map((specifier) => /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier);
  return new Set(packages);
}

/** These packages and all that they depend on, by folder. */
function withDependencies(roots: Iterable<string>): ReadonlyMap<string, string | undefined> {
  const found = new Map<string, string | undefined>();
  const visit = (name: string, from: string): void => {
    const folder = findPackage(name, from);
    if (folder === undefined || found.has(folder)) return;
    const { license, dependencies, peerDependencies } = readPackage(folder);
    found.set(folder, license);
    // what Electron's package depends on fetches its binary, and is never shipped
    if (name === 'electron') return;
    for (const dependency of Object.keys({ ...dependencies, ...peerDependencies })) visit(dependency, folder);
  };
  for (const name of roots) visit(name, ROOT);
  return found;
}

describe('what is shipped', () => {
  test('is imported by a name that package.json pins', () => {
    const declared = { ...own.dependencies, ...own.devDependencies };
    expect([...importedPackages()].filter((name) => !Object.hasOwn(declared, name))).toEqual([]);
  });

  test('has licences that let anybody use it', () => {
    const shipped = withDependencies([...importedPackages(), ...Object.keys(own.dependencies)]);
    expect(shipped.size).toBeGreaterThan(20);
    const allowed = new Set(['MIT', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'ISC']);
    const others = [...shipped].filter(([, license]) => license === undefined || !allowed.has(license));
    expect(others.map(([folder, license]) => `${folder.slice(ROOT.length + 1)}: ${license}`)).toEqual([]);
  });

  test('keeps on disk only what cannot be bundled', () => {
    expect(Object.keys(own.dependencies)).toEqual(['better-sqlite3']);
  });
});
