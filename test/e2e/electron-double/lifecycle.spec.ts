import { expect } from '@playwright/test';
import { ABSENT, hosts } from '../../electron-double/contract/hosts.ts';
import type { Contract } from '../../electron-double/contract/run.ts';

for (const { name, test, absent } of hosts) {
  test.describe(`the life of the app in ${name}`, () => {
    test.skip(absent, ABSENT);
    // most start an app, and some a browser
    test.describe.configure({ timeout: 60_000 });

    test('the main script runs before the app is ready', async ({ apps }) => {
      const said = await apps.run({
        before: ({ app }, { say }) => {
          say(['before', app.isReady()]);
          app.on('ready', () => say('ready'));
        },
        ready: ({ app }, { say }) => {
          say(['after', app.isReady()]);
          app.exit(0);
        },
      });
      expect(said).toEqual([['before', false], 'ready', ['after', true]]);
    });

    test('windows, tray icons and the session wait for ready', async ({ apps }) => {
      const said = await apps.run({
        before: ({ BrowserWindow, nativeImage, session, Tray }, { say, failure }) => {
          say(failure(() => new BrowserWindow()));
          say(failure(() => new Tray(nativeImage.createFromPath('/nowhere'))));
          say(failure(() => session.defaultSession));
        },
        ready: ({ app }) => app.exit(0),
      });
      expect(said).toEqual([
        expect.stringContaining('before app is ready'),
        expect.stringContaining('before app is ready'),
        expect.stringContaining('when app is ready'),
      ]);
    });

    test('what must come before ready is refused after it', async ({ inMain }) => {
      const failures = await inMain(({ app, protocol }, { failure }) => [
        failure(() => protocol.registerSchemesAsPrivileged([{ scheme: 'late' }])),
        failure(() => app.enableSandbox()),
      ]);
      expect(failures).toEqual([
        expect.stringContaining('before app is ready'),
        expect.stringContaining('before app is ready'),
      ]);
    });

    test('the last window takes the app with it', async ({ apps }) => {
      const said = await apps.run({
        ready: async ({ app }, { say, open }) => {
          app.on('will-quit', () => say('will-quit'));
          (await open()).close();
        },
      });
      expect(said).toEqual(['will-quit']);
    });

    test('the last window leaves an app alone that listens', async ({ apps }) => {
      const said = await apps.run({
        ready: async ({ app }, { say, open }) => {
          app.on('will-quit', () => say('will-quit'));
          app.on('window-all-closed', () => {
            say('no window');
            setImmediate(() => app.exit(0));
          });
          (await open()).close();
        },
      });
      expect(said).toEqual(['no window']);
    });

    test('quitting closes the windows, and waits for who asks it to', async ({ apps }) => {
      const said = await apps.run({
        ready: async ({ app }, { say, open }) => {
          app.on('before-quit', () => say('before-quit'));
          app.on('will-quit', () => say('will-quit'));
          app.on('quit', (_event, code) => say(['quit', code]));
          app.once('will-quit', (event) => {
            event.preventDefault();
            setImmediate(() => {
              say('done');
              app.quit();
            });
          });
          const window = await open();
          window.on('close', () => say('close'));
          window.on('closed', () => say('closed'));
          app.quit();
        },
      });
      expect(said).toEqual([
        'before-quit',
        'close',
        'closed',
        'will-quit',
        'done',
        'before-quit',
        'will-quit',
        ['quit', 0],
      ]);
    });

    test('quitting can be refused, by the app and by a window', async ({ apps }) => {
      const said = await apps.run({
        ready: async ({ app }, { say, open }) => {
          app.once('before-quit', (event) => event.preventDefault());
          app.on('will-quit', () => say('will-quit'));
          app.quit();
          const window = await open();
          window.once('close', (event) => event.preventDefault());
          app.quit();
          say(window.isDestroyed());
          app.quit();
        },
      });
      expect(said).toEqual([false, 'will-quit']);
    });

    test('exit asks nobody', async ({ apps }) => {
      const run = apps.start({
        ready: async ({ app }, { say, open }) => {
          app.on('before-quit', () => say('before-quit'));
          app.on('will-quit', () => say('will-quit'));
          (await open()).on('close', (event) => event.preventDefault());
          say('exit');
          app.exit(3);
        },
      });
      expect(await run.next()).toBe('exit');
      await expect(run.end()).rejects.toThrow('ended with 3');
    });

    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      test(`${signal} is a request to quit`, async ({ apps }) => {
        const run = apps.start({
          ready: ({ app }, { say }) => {
            app.on('will-quit', () => say('will-quit'));
            say('up');
          },
        });
        expect(await run.next()).toBe('up');
        run.child.kill(signal);
        expect(await run.end()).toEqual(['will-quit']);
      });
    }

    test('a second start tells the first, and may start once that has ended', async ({ apps }) => {
      const locking: Contract = {
        before: ({ app }, { say }) => {
          app.on('second-instance', (_event, argv, cwd) => {
            say([argv.some((argument) => argument.endsWith('main.mjs')), cwd === process.cwd()]);
            app.exit(0);
          });
          const isFirst = app.requestSingleInstanceLock();
          say(isFirst);
          if (!isFirst) app.exit(0);
        },
      };
      const first = apps.start(locking);
      expect(await first.next()).toBe(true);
      expect(await apps.run(locking)).toEqual([false]);
      expect(await first.end()).toEqual([[true, true]]);
      expect(await apps.start(locking).next()).toBe(true);
    });
  });
}
