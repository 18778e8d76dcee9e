// npm start: Electron where its binary is there, else the browser shell. Syntax and imports that old Nodes can read, so that they get the message.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 15)) {
  console.error(
    `AgentRelay needs Node 22.15 or newer; this is Node ${process.versions.node}. Use "npm start" after "npm install", or install a newer Node.`,
  );
  process.exit(1);
}
const electron = new URL('../node_modules/electron/', import.meta.url);
const pathFile = new URL('path.txt', electron);
const exe = existsSync(pathFile) ? new URL(`dist/${readFileSync(pathFile, 'utf8').trim()}`, electron) : undefined;
const [cmd, args] =
  exe && existsSync(exe) ? [exe.pathname, ['.']] : [process.execPath, ['--enable-source-maps', 'out/main/browser.js']];
const child = spawn(cmd, [...args, ...process.argv.slice(2)], { stdio: 'inherit' });
for (const s of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(s, () => child.kill(s));
// A SIGTERM to npm ends npm and its sh, but not us: follow them.
if (process.env.npm_lifecycle_event) {
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 500).unref();
}
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
