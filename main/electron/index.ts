import '../require-node.ts';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { app, protocol } from 'electron';
import { RelayError } from '../../relay/contract/reasons.ts';
import { parseStartFlags, readSettings, thisMachine } from '../settings.ts';
import { StartError, systemCode, UsageError } from '../start-error.ts';
import { printLine } from '../start-lines.ts';
import { APP_SCHEME } from './app-url.ts';
import { appArguments } from './arguments.ts';
import { runShell, WINDOW } from './shell.ts';

// The entry of the Electron shell: what must come before Electron is ready. It stands here without a wait, as Electron
// may be ready after the first one (https://www.electronjs.org/docs/latest/tutorial/esm).

/** Windows groups windows and notifications by it. */
const APP_ID = 'dev.agentrelay.AgentRelay';

// Whoever reads our output may go away: that is no reason to end.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error) => {
    if (systemCode(error) !== 'EPIPE') throw error;
  });
}

try {
  app.enableSandbox();
  protocol.registerSchemesAsPrivileged([
    { scheme: APP_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
  if (process.platform === 'win32') app.setAppUserModelId(APP_ID);
  const settings = readSettings(parseStartFlags(appArguments(process.argv, app.isPackaged)), thisMachine());
  // What the window keeps lies in the data folder, and the lock with it: two data folders are two desktops.
  const userData = join(settings.home, 'electron');
  mkdirSync(userData, { recursive: true, mode: 0o700 });
  app.setPath('userData', userData);
  if (app.requestSingleInstanceLock()) {
    runShell(settings).catch(fail);
  } else {
    // its owner has been told by our asking for it, and shows the window
    printLine('Window', WINDOW);
    app.exit(0);
  }
} catch (error) {
  fail(error);
}

/** 2 when the command line is wrong, 1 for all else. What a person can mend is a sentence; a stack is for our faults. */
function fail(error: unknown): void {
  const expected = error instanceof UsageError || error instanceof StartError || error instanceof RelayError;
  console.error(expected ? error.message : error);
  app.exit(error instanceof UsageError ? 2 : 1);
}
