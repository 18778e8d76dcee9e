import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { startApp } from '../app.ts';
import { Cleanup } from '../cleanup.ts';
import { commandLine } from '../command-line.ts';
import { endOnSignals } from '../end-on-signals.ts';
import { outliveReaders, reportFailure } from '../entry.ts';
import { defaultDataFolder, parseStartFlags, readSettings, START_HELP, thisMachine } from '../settings.ts';
import { printLine, RUNS_ALREADY } from '../start-lines.ts';
import { openBrowser } from './open-browser.ts';
import { startWindowServer, type WindowServer } from './window-server.ts';

// this file ends up in out/main
const OUT = join(import.meta.dirname, '..');

/**
 * The browser shell, from its command line to its end: starts the app, serves the window, prints where things are, and
 * ends on SIGINT, SIGTERM or SIGHUP with exit code 0. 1 when it cannot start, 2 when the command line is wrong.
 */
export async function run(argv: readonly string[]): Promise<void> {
  outliveReaders();
  const signal = endOnSignals();
  const cleanup = new Cleanup();
  let exitCode = 0;
  try {
    const runs = await start(argv, signal, cleanup);
    if (runs && !signal.aborted) await once(signal, 'abort');
  } catch (error) {
    if (!signal.aborted) exitCode = reportFailure(error);
  }
  await cleanup.run().catch((error: unknown) => {
    exitCode = reportFailure(error);
  });
  process.exit(exitCode);
}

/** Puts everything up; false when there is nothing to run: another process shows the window, or help was asked for. */
async function start(argv: readonly string[], signal: AbortSignal, cleanup: Cleanup): Promise<boolean> {
  const machine = thisMachine();
  const flags = parseStartFlags(argv);
  if (flags.help) {
    console.log(START_HELP);
    return false;
  }
  const settings = readSettings(flags, machine);
  const show = (url: string): void => {
    printLine('Window', url);
    if (settings.headless) return;
    openBrowser(url, () => console.error('Open this address in a browser.'));
  };
  // a second start may ask for the window before it is there
  const window = Promise.withResolvers<WindowServer>();
  let windowUrl = '';
  const result = await startApp({
    ...settings,
    shell: 'browser',
    commandLine: commandLine({
      root: join(OUT, '..'),
      packaged: false,
      home: settings.home,
      defaultHome: defaultDataFolder(machine),
      platform: machine.platform,
    }),
    openWindow: async () => (await window.promise).open(),
    windowUrl: () => windowUrl,
    signal,
  });
  if (result.kind === 'already_running') {
    console.error(RUNS_ALREADY);
    // Electron has shown its window itself
    if (URL.canParse(result.window)) show(result.window);
    else printLine('Window', result.window);
    return false;
  }
  const { app } = result;
  cleanup.add(() => app.close());
  const { config } = app;
  const server = await startWindowServer({
    desk: app.desk,
    root: join(OUT, 'renderer'),
    logger: app.logger,
    clock: Date.now,
    random: randomBytes,
    port: config.windowPort ?? 0,
  });
  cleanup.add(() => server.close());
  // what the window keeps in the browser is kept for its origin
  await config.setWindowPort(Number(new URL(server.url).port));
  windowUrl = server.url;
  window.resolve(server);

  for (const notice of app.notices) console.error(notice);
  printLine('Relay', app.relayUrl);
  show(server.open());
  printLine('MCP', app.socketPath);
  printLine('Ready');
  return true;
}
