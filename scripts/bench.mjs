// npm run bench [-- --quick]: the figures of docs/explanation/performance.md, each against a named peer in the same run.
import './require-node.mjs';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../test/bench/main.ts', import.meta.url));
process.exit(spawnSync(process.execPath, [main, ...process.argv.slice(2)], { stdio: 'inherit' }).status ?? 1);
