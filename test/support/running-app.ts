import { onTestFinished } from 'vitest';
import { startApp, type AppOptions, type RunningApp } from '../../main/app.ts';

/** How a test starts the app: account `frank` on the relay `acme`, any free port. */
export function appOptions(home: string, changes: Partial<AppOptions> = {}): AppOptions {
  return {
    home,
    port: 0,
    portIsDefault: false,
    relayName: 'acme',
    handle: 'frank',
    logLevel: 'info',
    webhookAllow: [],
    shell: 'browser',
    commandLine: { command: '/srv/agentrelay/bin/agentrelay', start: 'npm --prefix /srv/agentrelay start' },
    openWindow: async () => 'http://127.0.0.1:1/#token',
    windowUrl: () => 'http://127.0.0.1:1',
    ...changes,
  };
}

/** A real app in this process, closed when the test ends. */
export async function runApp(home: string, changes: Partial<AppOptions> = {}): Promise<RunningApp> {
  const result = await startApp(appOptions(home, changes));
  if (result.kind !== 'started') throw new Error('another one runs');
  onTestFinished(() => result.app.close());
  return result.app;
}
