import { expect, test as base, type Page } from '@playwright/test';
import type { CommandInput, CommandName, Envelope } from '../../relay/contract/desk-api.ts';
import type { AgentRelayBridge } from '../../relay/contract/bridge.ts';
import { TempHome } from '../support/home.ts';
import { launchElectronDouble, launchShell, startElectronDouble, startLines } from '../support/launch-shell.ts';
import { processesWith } from '../support/processes.ts';
import { driveWindow } from '../support/window-driver.ts';

// What the Electron shell does around the window, on the double.

type ElectronShell = Awaited<ReturnType<typeof launchElectronDouble>>;

const test = base.extend<object, { readonly home: TempHome; readonly shell: ElectronShell }>({
  home: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      using home = new TempHome();
      await use(home);
    },
    { scope: 'worker' },
  ],
  // one for many tests: each leaves its window open and shown
  shell: [
    async ({ home }, use) => {
      await using shell = await launchElectronDouble(home.path);
      await use(shell);
    },
    { scope: 'worker', timeout: 60_000 },
  ],
});
// most start an app and a browser
test.describe.configure({ timeout: 60_000 });

/** Calls the desk as the window does. */
function call<C extends CommandName>(page: Page, command: C, input: CommandInput<C>): Promise<Envelope<unknown>> {
  return page.evaluate(
    ([name, value]) => (globalThis as unknown as { agentrelay: AgentRelayBridge }).agentrelay.call(name, value),
    [command, input] as const,
  );
}

test('closing the window hides it, and the tray shows it again as it was', async ({ shell: { app, page } }) => {
  await page.evaluate(() => Object.assign(globalThis, { mark: 'the same document' }));
  await app.act({ do: 'close-window' });
  await app.desktop(({ windows }) => windows[0]?.visible === false);
  await app.act({ do: 'choose-tray-item', label: 'Open AgentRelay' });
  await app.desktop(({ windows }) => windows[0]?.visible === true);
  expect(await page.evaluate(() => (globalThis as unknown as { mark: string }).mark)).toBe('the same document');

  await app.act({ do: 'close-window' });
  await app.act({ do: 'click-tray' });
  await app.desktop(({ windows }) => windows[0]?.visible === true);
});

test('a second start shows the window of the first, says where it is, and ends', async ({ shell, home }) => {
  const { app } = shell;
  await app.act({ do: 'minimize-window' });
  await using second = startElectronDouble(home.path);
  expect([...(await startLines(second.child))]).toEqual([['Window', 'Electron']]);
  await app.desktop(({ windows }) => windows[0]?.visible === true && !windows[0].minimized);
});

test('the tray offers the window and the end', async ({ shell: { app } }) => {
  const { trays } = await app.desktop((desktop) => desktop.trays[0]?.menu.length === 3);
  expect(trays).toEqual([
    {
      toolTip: 'AgentRelay',
      menu: [
        { type: 'normal', label: 'Open AgentRelay', enabled: true },
        { type: 'separator', label: '', enabled: true },
        { type: 'normal', label: 'Quit', enabled: true },
      ],
    },
  ]);
});

test('what the desk refuses comes back as an error with its reason, and nothing is thrown', async ({
  shell: { page },
}) => {
  const unknown = 'dropEverything' as CommandName;
  expect(await call(page, unknown, {})).toMatchObject({ ok: false, error: { reason: 'METHOD_NOT_FOUND' } });
  expect(await call(page, 'getThread', { task_id: '' })).toMatchObject({
    ok: false,
    error: { reason: 'INVALID_PARAMS', violations: [{ field: 'task_id' }] },
  });
});

test('what happens at the desk shows in the window at once, also after a reload', async ({ shell: { page } }) => {
  await call(page, 'registerAgent', { handle: 'mia' });
  const window = driveWindow(page);
  await call(page, 'sendHandoff', { to: 'mia@acme', body: 'Which auth header does the gateway strip?' });
  await expect(window.row('Which auth header')).toBeVisible();
  await page.reload();
  await expect(window.row('Which auth header')).toBeVisible();
  await call(page, 'sendHandoff', { to: 'mia@acme', body: 'Rate limiter returns 500' });
  await expect(window.row('Rate limiter')).toBeVisible();
});

test('the window stays where it is', async ({ shell: { page } }) => {
  const url = page.url();
  const attempt = page.waitForEvent('requestfailed');
  await page.evaluate(() => void (location.href = 'https://example.com/away'));
  // aborted by the app; a request that it lets through is blocked for want of a network
  expect((await attempt).failure()?.errorText).toBe('net::ERR_ABORTED');
  expect(page.url()).toBe(url);
});

test('safe links go to the system, others nowhere', async ({ shell: { app, page } }) => {
  await page.evaluate(() => {
    window.open('file:///etc/passwd');
    window.open('https://example.com/docs');
  });
  const { opened, windows } = await app.desktop((desktop) => desktop.opened.length > 0);
  expect(opened).toEqual(['https://example.com/docs']);
  expect(windows).toHaveLength(1);
});

test('the window may copy, and has no other permission', async ({ shell: { page } }) => {
  const states = await page.evaluate(async () => {
    const names = ['clipboard-write', 'clipboard-read', 'geolocation', 'notifications'];
    return Promise.all(
      names.map(async (name) => (await navigator.permissions.query({ name: name as PermissionName })).state),
    );
  });
  expect(states).toEqual(['granted', 'denied', 'denied', 'denied']);
});

test('without a window nothing is drawn, until somebody asks for it; SIGTERM ends it in order', async () => {
  using home = new TempHome();
  await using app = startElectronDouble(home.path, ['--headless']);
  await startLines(app.child);
  const { windows } = await app.desktop(({ trays }) => trays.length === 1);
  expect(windows).toEqual([]);
  await app.act({ do: 'choose-tray-item', label: 'Open AgentRelay' });
  await expect((await app.page()).getByRole('heading', { name: 'Nothing needs you' })).toBeVisible();

  app.child.kill('SIGTERM');
  await expect.poll(() => app.child.exitCode).toBe(0);
  await expect.poll(() => processesWith(home.path)).toEqual([]);
});

test('where the browser shell owns the data folder, a start says where its window is, and ends', async ({
  browser,
}) => {
  using home = new TempHome();
  await using owner = await launchShell('browser', home.path, browser);
  await using second = startElectronDouble(home.path);
  const lines = await startLines(second.child);
  expect([...lines.keys()]).toEqual(['Window']);
  expect(new URL(lines.get('Window') ?? '').origin).toBe(new URL(owner.lines.get('Window') ?? '').origin);
});

test('a command line that is wrong ends with 2', async () => {
  using home = new TempHome();
  await using app = startElectronDouble(home.path, ['--colour', 'red']);
  await expect(startLines(app.child)).rejects.toThrow(/ended with 2: .*--headless/s);
});
