import '../require-node.ts';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { app, protocol } from 'electron';
import { outliveReaders, reportFailure } from '../entry.ts';
import { parseStartFlags, readSettings, START_HELP, thisMachine, type Settings } from '../settings.ts';
import { unusable } from '../start-error.ts';
import { printLine, RUNS_ALREADY } from '../start-lines.ts';
import { APP_SCHEME } from './app-url.ts';
import { appArguments } from './arguments.ts';
import { runShell, WINDOW } from './shell.ts';

// The entry of the Electron shell: what must come before Electron is ready. It stands here without a wait, as Electron
// may be ready after the first one (https://www.electronjs.org/docs/latest/tutorial/esm).

/** Windows groups windows and notifications by it. */
const APP_ID = 'dev.agentrelay.AgentRelay';

outliveReaders();

try {
  app.enableSandbox();
  protocol.registerSchemesAsPrivileged([
    { scheme: APP_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
  if (process.platform === 'win32') app.setAppUserModelId(APP_ID);
  const flags = parseStartFlags(appArguments(process.argv, app.isPackaged));
  if (flags.help) {
    console.log(START_HELP);
    app.exit(0);
  } else {
    start(readSettings(flags, thisMachine()));
  }
} catch (error) {
  fail(error);
}

function start(settings: Settings): void {
  // What the window keeps lies in the data folder, and the lock with it: two data folders are two desktops.
  const userData = join(settings.home, 'electron');
  makeFolder(userData);
  app.setPath('userData', userData);
  if (app.requestSingleInstanceLock()) {
    runShell(settings).catch(fail);
  } else {
    console.error(RUNS_ALREADY);
    // its owner has been told by our asking for it, and shows the window
    printLine('Window', WINDOW);
    app.exit(0);
  }
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw unusable(path, error);
  }
}

function fail(error: unknown): void {
  app.exit(reportFailure(error));
}
