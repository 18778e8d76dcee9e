import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { TempHome } from '../support/home.ts';
import { launchShell, SHELLS } from '../support/launch-shell.ts';
import { processesWith } from '../support/processes.ts';
import { driveWindow } from '../support/window-driver.ts';

// each starts an app and a browser
test.describe.configure({ timeout: 60_000 });

for (const name of SHELLS) {
  test(`${name}: a first start shows an empty inbox, and quitting leaves nothing`, async ({ browser }) => {
    using home = new TempHome();
    await using shell = await launchShell(name, home.path, browser);
    expect([...shell.lines.keys()]).toEqual(['Relay', 'Window', 'MCP', 'Ready']);
    expect(shell.lines.get('Relay')).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);

    const window = driveWindow(shell.page);
    await expect(shell.page.getByRole('heading', { name: 'Nothing needs you' })).toBeVisible();
    await expect.poll(() => window.connection()).toContain('Connected');
    expect(await window.inboxRows()).toEqual([]);

    expect(await shell.quit()).toBe(0);
    await expect.poll(() => processesWith(home.path)).toEqual([]);
    expect(readdirSync(join(home.path, 'run'))).toEqual([]);
  });
}
