import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { ROOT } from '../../support/project-root.ts';
import { because } from '../../support/skip.ts';
import { tempDir } from '../../support/temp-dir.ts';

// real tools are started here, and they share the machine with all other tests
vi.setConfig({ testTimeout: 120_000 });

/** Everything that a person or a program starts directly. `bin/agentrelay` takes its Node from AGENTRELAY_NODE. */
const ENTRIES = [
  'bin/agentrelay',
  'scripts/start.mjs',
  'scripts/test.mjs',
  'scripts/bench.mjs',
  'out/main/browser.js',
  'out/main/cli.js',
];

/** Makes this Node say that it is 20.11.1, and tell when anything native is loaded into it. */
const PRETEND_OLD = `
const versions = { ...process.versions, node: '20.11.1' };
Object.defineProperty(process, 'versions', { value: versions });
process.dlopen = () => {
  process.stderr.write('loaded something native\\n');
  process.exit(99);
};
`;

const isTooOld = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < 22 || (major === 22 && minor < 15);
};

/** A Node on this machine's PATH that is too old, where there is one. */
const oldNode = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'node'))
  .filter((node) => existsSync(node))
  .find((node) => {
    const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' });
    return /^v\d/.test(stdout) && isTooOld(stdout.trim().slice(1));
  });

function start(entry: string, node: string, nodeOptions?: string) {
  const dir = tempDir();
  const env = {
    PATH: process.env['PATH'],
    HOME: dir,
    AGENTRELAY_HOME: join(dir, 'data'),
    AGENTRELAY_PORT: '0',
    AGENTRELAY_NODE: node,
    ...(nodeOptions === undefined ? {} : { NODE_OPTIONS: nodeOptions }),
  };
  const path = join(ROOT, entry);
  const [command, args] = entry.startsWith('bin/') ? [path, ['status']] : [node, [path]];
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: ROOT, encoding: 'utf8', env, timeout: 15_000 });
  return { status, stdout, stderr, madeData: existsSync(env.AGENTRELAY_HOME) };
}

function expectRefusal({ status, stdout, stderr, madeData }: ReturnType<typeof start>, version: string): void {
  expect(stderr).toMatch(/needs Node 22\.15 or newer/i);
  expect(stderr).toContain(version);
  expect(stderr.trim().split('\n').length).toBeLessThanOrEqual(2);
  expect(stderr).not.toMatch(/^\s+at |SyntaxError|native/m);
  expect(stdout).toBe('');
  expect(status).toBe(1);
  expect(madeData).toBe(false);
}

// what the build makes is there under "npm test", which builds first
const isBuilt = existsSync(join(ROOT, 'out/main/cli.js')) && existsSync(join(ROOT, 'out/main/browser.js'));
const needsBuild = (entry: string): boolean => !entry.startsWith('scripts/');

const NOT_BUILT = because('out/ has not been built');
const NO_OLD_NODE = because('this machine has no Node that is too old');

describe.each(ENTRIES)('under a Node that is too old, %s', (entry) => {
  test.skipIf(needsBuild(entry) && !isBuilt)(
    'says so, and nothing else, before anything native loads',
    NOT_BUILT,
    () => {
      const preload = join(tempDir(), 'pretend-old.cjs');
      writeFileSync(preload, PRETEND_OLD);
      expectRefusal(start(entry, process.execPath, `--require=${preload}`), '20.11.1');
    },
  );

  test.skipIf(oldNode === undefined || (needsBuild(entry) && !isBuilt))(
    'says so in a real one',
    isBuilt ? NO_OLD_NODE : NOT_BUILT,
    () => {
      const version = spawnSync(oldNode ?? '', ['--version'], { encoding: 'utf8' })
        .stdout.trim()
        .slice(1);
      expectRefusal(start(entry, oldNode ?? ''), version);
    },
  );
});

test.skipIf(!isBuilt || oldNode === undefined || !existsSync(join(ROOT, 'node_modules/.bin/node')))(
  'the command runs under the Node that was installed with it, whatever stands first on the PATH',
  isBuilt ? NO_OLD_NODE : NOT_BUILT,
  () => {
    const { status, stdout } = spawnSync(join(ROOT, 'bin/agentrelay'), ['--help'], {
      encoding: 'utf8',
      env: { PATH: `${join(oldNode ?? '', '..')}${delimiter}${process.env['PATH'] ?? ''}`, HOME: tempDir() },
    });
    expect(stdout).toContain('agentrelay');
    expect(status).toBe(0);
  },
);
