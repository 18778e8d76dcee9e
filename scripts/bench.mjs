// npm run bench [-- --quick]: the figures of docs/explanation/performance.md, each against a named peer in the same run.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 15)) {
  console.error(
    `agentrelay needs Node 22.15 or newer; this is Node ${process.versions.node}. Use "npm run bench" after "npm install", or install a newer Node.`,
  );
  process.exit(1);
}
const main = fileURLToPath(new URL('../test/bench/main.ts', import.meta.url));
process.exit(spawnSync(process.execPath, [main, ...process.argv.slice(2)], { stdio: 'inherit' }).status ?? 1);
