import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from './temp-dir.ts';

/** The folder of a built window, in small, with files beside it that are no part of it. */
export function builtWindow(): string {
  const root = join(tempDir(), 'renderer');
  mkdirSync(join(root, 'assets'), { recursive: true });
  writeFileSync(join(root, 'index.html'), '<!doctype html><title>AgentRelay</title>');
  writeFileSync(join(root, 'assets/app-1a2b3c4d.js'), 'export {};');
  writeFileSync(join(root, 'assets/app-1a2b3c4d.js.map'), '{}');
  writeFileSync(join(root, '..', 'secret.json'), '{}');
  symlinkSync(join(root, '..', 'secret.json'), join(root, 'link.json'));
  return root;
}
