import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../../support/app-process.ts';
import { ROOT } from '../../support/project-root.ts';
import { because } from '../../support/skip.ts';

/** A Node before 22.15, as distributions ship it; undefined where this machine has none. */
function findOldNode(): string | undefined {
  return ['/usr/bin/node', '/usr/local/bin/node'].find((path) => {
    const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
    const [, major, minor] = /^v(\d+)\.(\d+)/.exec(stdout ?? '') ?? [];
    return major !== undefined && (Number(major) < 22 || (major === '22' && Number(minor) < 15));
  });
}

const oldNode = findOldNode();

describe.skipIf(oldNode === undefined)(
  'a Node that is too old',
  { timeout: 60_000, ...because('this machine has no Node that is too old') },
  () => {
    it.each(['scripts/start.mjs', 'out/main/browser.js', 'out/main/cli.js'])(
      'is named by %s, with what to do',
      async (entry) => {
        const old = run(oldNode ?? '', [join(ROOT, entry)]);
        expect((await old.ended).code).toBe(1);
        expect(old.stderr()).toMatch(/needs Node 22\.15 or newer; this is Node \d/);
        expect(old.stderr()).not.toMatch(/^\s+at |SyntaxError/m);
        expect(old.stdout()).toBe('');
      },
    );

    it('is passed over by bin/agentrelay for the one that npm installed', async () => {
      const help = run(join(ROOT, 'bin/agentrelay'), ['--help'], { env: { PATH: '/usr/bin:/bin' } });
      expect((await help.ended).code).toBe(0);
      expect(help.stdout()).toMatch(/^Usage: agentrelay/);
    });

    it('is named by bin/agentrelay where it is the only one', async () => {
      const old = run(join(ROOT, 'bin/agentrelay'), ['status'], { env: { AGENTRELAY_NODE: oldNode } });
      expect((await old.ended).code).toBe(1);
      expect(old.stderr()).toMatch(/needs Node 22\.15/);
    });
  },
);
