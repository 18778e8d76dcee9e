// npm start: Electron where its binary is there or can be fetched, else the browser shell. Syntax and imports that old Nodes can read, so that they get the message.
import './require-node.mjs';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chooseShell } from './choose-shell.mjs';
import { fetchBinary } from './fetch-binary.mjs';
import { whenOrphaned } from './orphaned.mjs';

/** The binary has about 120 MB. A machine that cannot have it must not keep its user waiting. */
const FETCH_SECONDS = 120;

const root = fileURLToPath(new URL('..', import.meta.url));
const args = process.argv.slice(2);
const electronFolder = join(root, 'node_modules', 'electron');
// what it is to say to --help, either shell knows
if (args.includes('--help') || args.includes('-h')) await runBrowserShell();
else await start();

async function start() {
  const { electron, why } = await choose();
  console.error(`Starting ${electron ? 'in Electron' : 'the browser shell'}: ${why}.`);
  await (electron ? runElectron(electron) : runBrowserShell());
}

async function choose() {
  const look = () =>
    chooseShell({
      electron: findElectron(),
      headless: args.includes('--headless'),
      platform: process.platform,
      env: process.env,
      isRoot: process.getuid !== undefined && process.getuid() === 0,
    });
  const chosen = look();
  if (!chosen.isMissing) return chosen;
  const failure = await fetchBinary({
    installer: join(electronFolder, 'install.js'),
    seconds: FETCH_SECONDS,
    noteOfFailure: join(electronFolder, 'not-fetched'),
    say: (line) => console.error(line),
  });
  return failure === undefined ? look() : { why: failure };
}

/** In this very process: no second one to start, to pass signals to, or to leave behind. */
async function runBrowserShell() {
  const entry = join(root, 'out', 'main', 'browser.js');
  if (!existsSync(entry)) {
    console.error('AgentRelay has not been built yet. Run "npm run build".');
    process.exit(1);
  }
  whenOrphaned(() => process.kill(process.pid, 'SIGTERM'));
  await import(new URL('../out/main/browser.js', import.meta.url).href);
}

async function runElectron(executable) {
  const { spawn } = await import('node:child_process');
  const child = spawn(executable, [root, ...args], { stdio: 'inherit' });
  let isAsked = false;
  const end = (signal) => {
    isAsked = true;
    child.kill(signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end);
  whenOrphaned(() => end('SIGTERM'));
  child.on('error', (error) => {
    console.error(`Electron could not be started: ${error.message}`);
    process.exit(1);
  });
  // a signal that came before Electron could handle it ended it all the same
  child.on('exit', (code) => process.exit(code ?? (isAsked ? 0 : 1)));
}

/** Electron's executable, looked up by file: importing the package would download it. */
function findElectron() {
  const pathFile = join(electronFolder, 'path.txt');
  if (!existsSync(pathFile)) return undefined;
  const executable = join(
    process.env.ELECTRON_OVERRIDE_DIST_PATH || join(electronFolder, 'dist'),
    readFileSync(pathFile, 'utf8').trim(),
  );
  return existsSync(executable) ? executable : undefined;
}
