import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { NEW_TRUST } from '../../main/desk/trust/edit-trust.ts';
import { agentrelay, handOver, register } from '../support/app-agents.ts';
import { violations } from '../support/axe.ts';
import { decide } from '../support/contacts.ts';
import { TempHome } from '../support/home.ts';
import { launchShell } from '../support/launch-shell.ts';
import { driveWindow } from '../support/window-driver.ts';

// What the rules hold, and what does not leave by itself: on a real desk, in a real browser.

test('what the rules hold comes through when its sender is trusted, and nothing is lost on the way', async ({
  browser,
}) => {
  using home = new TempHome();
  await using shell = await launchShell('browser', home.path, browser);
  const { page } = shell;
  const window = driveWindow(page);
  const mia = await register(home.path, shell, 'mia');
  // as an editor saves: mia is a contact, and unknown to the rules
  await saveRules(home.path, NEW_TRUST);
  await handOver(mia, 'Replica lag\n\nThe read pool is behind.');

  await expect(window.group('Held by your rules')).toContainText('mia@acme held by trust.yaml line');
  await expect(page).toHaveTitle('AgentRelay');
  await window.openThread('Replica lag');
  await expect(window.trustLine).toHaveText(/^Held by trust\.yaml line \d+: unknown_teammates\.policy = hold$/);
  expect(await window.threadState()).toBe('Held');
  await window.dock.getByRole('textbox').fill('half a thought');
  await page.keyboard.press('Escape');
  await page.keyboard.press('t');
  await expect(window.dock.getByText('Lists mia@acme in trust.yaml')).toBeVisible();
  const trust = window.dock.getByRole('button', { name: 'Trust mia@acme' });
  await expect(trust).toBeFocused();
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await violations(page)).toEqual([]);
  await trust.press('Enter');

  await expect(window.group('Needs you')).toContainText('Replica lag');
  await expect(window.trustLine).toHaveText(/^Trusted teammate \(trust\.yaml:\d+\) · reads ask · writes ask$/);
  await expect(window.message('The read pool is behind.')).toBeVisible();
  await expect(window.dock.getByRole('textbox')).toHaveValue('half a thought');
  await expect(page).toHaveTitle('(1) AgentRelay');

  // a file that cannot be used holds all of it again, and says where it is wrong
  await saveRules(home.path, 'version: 1\nteammates:\n  mia@acme: 7\n');
  await expect(window.banner).toContainText('trust.yaml cannot be used (line 3): everything is held.');
  await expect(window.trustLine).toHaveText('trust.yaml cannot be used (line 3): everything is held');
  await expect(window.dock.getByRole('button', { name: 'Trust' })).toHaveCount(0);
  expect(await violations(page)).toEqual([]);
});

test('a secret leaves only at the person’s word, and what waits for a contact leaves by itself', async ({
  browser,
}) => {
  using home = new TempHome();
  await using shell = await launchShell('browser', home.path, browser);
  const { page } = shell;
  const window = driveWindow(page);
  await register(home.path, shell, 'mia');
  const secret = `ghp_${'16C7e42F292c6912E7710c838347Ae178B4a'}`;
  await agentrelay(home.path, 'handoff', 'mia', '-m', `Deploy fails\nIt has ${secret} in it. 🔑`);

  await expect(window.group('Waits to be sent')).toContainText('mia@acme not sent, looks like a secret');
  await window.openUnsent('Deploy fails');
  await expect(page.locator('mark')).toHaveText(secret);
  await expect(page.getByRole('region', { name: 'What was found' })).toContainText('github');
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('x');
  await expect(window.dock.getByRole('button', { name: 'Drop it' })).toBeFocused();
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await window.dock.getByRole('button', { name: 'Send all the same' }).click();
  await expect(window.message(secret)).toBeVisible();
  await expect(window.group('Waiting on others')).toContainText('Deploy fails');
  await expect(window.group('Waits to be sent')).toHaveCount(0);

  const alice = await register(home.path, shell, 'alice');
  expect((await alice.http('DELETE', '/v1/contacts/frank')).status).toBe(200);
  await agentrelay(home.path, 'handoff', 'alice', '-m', 'Please review\n\nThe limits.');
  await window.openUnsent('Please review');
  await expect(page.getByRole('note', { name: 'Why it waits' })).toContainText('It is sent as soon as they accept.');
  await decide(alice, 'frank@acme', 'accept');
  await expect(page.getByText('It waits no longer: it was sent, or dropped.')).toBeVisible();
  await expect(window.group('Waiting on others')).toContainText('Please review');
});

/** Writes `trust.yaml` as editors do: another file that takes its name. */
async function saveRules(home: string, text: string): Promise<void> {
  const path = join(home, 'trust.yaml');
  await writeFile(`${path}~`, text, { mode: 0o600 });
  await rename(`${path}~`, path);
}
