import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { expect, test, type Locator } from '@playwright/test';
import { z } from 'zod';
import type { TypedArtifact } from '../../relay/contract/artifact.ts';
import { agentrelay, handOver, register } from '../support/app-agents.ts';
import { violations } from '../support/axe.ts';
import { TempHome } from '../support/home.ts';
import { launchShell } from '../support/launch-shell.ts';
import { driveWindow } from '../support/window-driver.ts';

// How the window looks and behaves where only a browser can tell: places, sizes, focus, the clipboard, a restart.

const run = promisify(execFile);
const LONG_HANDLE = 'a-very-long-handle-of-a-continuous-integration-bot';
const TESTS: TypedArtifact = { type: 'test_command', command: 'npm test -- limit', cwd: 'api/' };
const MARKS: readonly TypedArtifact[] = [
  TESTS,
  { type: 'link', url: 'https://example.com/issues/429' },
  { type: 'file_ref', path: 'src/limit.ts' },
  { type: 'api_contract', format: 'openapi', inline: 'openapi: 3.1.0\n' },
];

test('a row cuts what is too long, and nothing else', async ({ browser }) => {
  using home = new TempHome();
  await using shell = await launchShell('browser', home.path, browser);
  const { page } = shell;
  const window = driveWindow(page);
  const mia = await register(home.path, shell, 'mia');
  const bot = await register(home.path, shell, LONG_HANDLE);
  await handOver(mia, 'Rate limiter returns 500', MARKS);
  await handOver(mia, `${'A title that goes on and on '.repeat(6)}\u202Ewith a mark`);
  await handOver(bot, 'The nightly build fails', [TESTS]);
  await expect(window.row('The nightly build fails')).toBeVisible();

  const short = window.row('Rate limiter returns 500');
  await expect(short.getByText('hands this to you')).toBeVisible();
  expect(await isCut(short.getByText('Rate limiter returns 500'))).toBe(false);
  expect(await isCut(short.getByText('mia@acme'))).toBe(false);

  // the handle gives way to the state
  const long = window.row('The nightly build fails');
  expect(await isCut(long.getByText(LONG_HANDLE))).toBe(true);
  expect(await isCut(long.getByText('hands this to you'))).toBe(false);

  // and a title that is cut stays where it is
  const title = window.row('A title that goes on').locator('span', { hasText: 'A title' }).last();
  await title.evaluate((element) => (element.scrollLeft = 200));
  expect(await title.evaluate((element) => element.scrollLeft)).toBe(0);
});

test('right edges stay where they are, whether something scrolls or not', async ({ browser }) => {
  using home = new TempHome();
  await using shell = await launchShell('browser', home.path, browser);
  const { page } = shell;
  const window = driveWindow(page);
  const mia = await register(home.path, shell, 'mia');
  await handOver(mia, 'A short one\n\nOne line.');
  await handOver(mia, `A long one\n\n${'Line\n'.repeat(200)}`);
  await expect(window.row('A short one')).toBeVisible();

  const edges: number[][] = [];
  for (const subject of ['A short one', 'A long one']) {
    await window.openThread(subject);
    const time = window.messages.first().getByRole('time');
    edges.push(await Promise.all([time, page.getByRole('status', { name: 'State' })].map(rightEdge)));
  }
  expect(new Set(edges.flat())).toEqual(new Set([edges[0]?.[0]]));
});

test('the keyboard follows where the window shows one pane, and its place can be seen', async ({ browser }) => {
  using home = new TempHome();
  await using shell = await launchShell('browser', home.path, browser);
  const { page } = shell;
  await page.setViewportSize({ width: 880, height: 640 });
  const window = driveWindow(page);
  await handOver(await register(home.path, shell, 'mia'), 'A short one\n\nOne line.');
  await window.openThread('A short one');
  const messages = page.getByRole('region', { name: 'Messages' });
  await expect(messages).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('listbox', { name: 'Handoffs' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(messages).toBeFocused();
  // an edge, for a frame around all of it would shout
  await expect(messages).toHaveCSS('outline-style', 'none');
  expect(await messages.evaluate((element) => getComputedStyle(element).boxShadow)).toContain('inset');

  await page.keyboard.press('r');
  const send = window.dock.getByText('Ctrl', { exact: true });
  await expect(send).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(send).toBeHidden();
});

test('the subject is said once, and a command of one line is shown whole', async ({ browser }) => {
  using home = new TempHome();
  await using shell = await launchShell('browser', home.path, browser);
  const window = driveWindow(shell.page);
  await handOver(await register(home.path, shell, 'mia'), 'A short one\n\nOne line.', [TESTS]);
  await window.openThread('A short one');
  await expect(window.messages.getByText('One line.')).toBeVisible();
  await expect(window.messages.getByText('A short one')).toHaveCount(0);
  await expect(window.artifactFrames.getByText('npm test -- limit')).toHaveCount(1);
  expect(await window.artifactFrames.getByRole('button').allTextContents()).toEqual(['']);
});

test('what is sent says why it waits, and can be cancelled with a reason', async ({ browser }) => {
  using home = new TempHome();
  await using shell = await launchShell('browser', home.path, browser);
  const window = driveWindow(shell.page);
  await register(home.path, shell, 'mia');
  await agentrelay(home.path, 'handoff', 'mia', '-m', 'Move the store\n\nIt loses sessions.');
  await expect(window.row('Move the store')).toContainText('queued, not connected');
  await window.openThread('Move the store');
  await expect(window.message('It loses sessions.')).toContainText('mia@acme is not connected');
  await window.show('Waiting');
  await expect(window.group('Waiting on others')).toContainText('Move the store');
  await window.cancel('it is moved');
  await expect.poll(() => window.stateLines()).toEqual([expect.stringContaining('You cancelled it: it is moved')]);
  await window.show('Done');
  await expect(window.row('Move the store')).toContainText('you cancelled: it is moved');
});

test('a command that is copied works in any folder', async ({ browser }) => {
  using home = new TempHome();
  await using shell = await launchShell('browser', home.path, browser);
  const { page } = shell;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const commands = page.getByRole('article').locator('code');
  await page.getByRole('button', { name: 'Copy the command' }).first().click();
  const register = await page.evaluate(() => navigator.clipboard.readText());
  // the same by hand
  await commands.last().selectText();
  await page.keyboard.press('Control+c');
  const handoff = await page.evaluate(() => navigator.clipboard.readText());
  const window = driveWindow(page);
  await expect(commands.first()).toHaveText('$ agentrelay register mia');
  for (const command of [register, handoff]) await run('/bin/sh', ['-c', command], { cwd: tmpdir() });
  await expect(window.row('Why does this fail?')).toContainText('mia@acme');
});

test('a window of an app that was restarted says so, and opens again with what was written', async ({ browser }) => {
  using home = new TempHome();
  await using first = await launchShell('browser', home.path, browser);
  const { page } = first;
  const window = driveWindow(page);
  await handOver(await register(home.path, first, 'mia'), 'A short one\n\nOne line.');
  await window.openThread('A short one');
  await window.dock.getByRole('textbox').fill('half a thought');
  const places = page.getByRole('navigation', { name: 'Main' }).getByRole('list');
  const before = await places.boundingBox();
  expect(await first.quit()).toBe(0);
  await expect(window.banner).toContainText('AgentRelay has not answered since');
  // the words beside the account are no longer than those before
  expect(await window.connection()).toBe('No answer');
  expect(await places.boundingBox()).toEqual(before);

  await using second = await launchShell('browser', home.path, browser);
  expect(new URL(second.page.url()).origin).toBe(new URL(page.url()).origin);
  await expect(window.notice).toHaveText('AgentRelay was restarted');
  await expect(page.getByRole('alert')).toContainText('Window line');
  expect(await violations(page)).toEqual([]);

  // in the same tab, where only what is behind the # is another
  await page.goto(await freshLink(home.path));
  await expect(window.dock.getByRole('textbox')).toHaveValue('half a thought');
  expect(await second.quit()).toBe(0);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing wrong with the window (${colorScheme})`, async ({ browser }) => {
    using home = new TempHome();
    await using shell = await launchShell('browser', home.path, browser);
    const { page } = shell;
    await page.emulateMedia({ colorScheme });
    const window = driveWindow(page);
    await expect(page.getByRole('heading', { name: 'Nothing needs you' })).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await handOver(await register(home.path, shell, 'mia'), 'Rate limiter returns 500\n\nIt throws.', MARKS);
    await window.openThread('Rate limiter returns 500');
    expect(await violations(page)).toEqual([]);
    await window.accept();
    await expect.poll(() => window.threadState()).toBe('Accepted');
    await page.keyboard.press('q');
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog')).toBeVisible();
    expect(await violations(page)).toEqual([]);
  });
}

const openedSchema = z.object({ url: z.string() });
/** What the command prints that the page of a window that was not let in offers. */
async function freshLink(home: string): Promise<string> {
  return openedSchema.parse(JSON.parse(await agentrelay(home, 'open'))).url;
}

function isCut(text: Locator): Promise<boolean> {
  // what is cut is the element or one around it, within the row
  return text.evaluate((element) => {
    const box = element.closest('span') ?? element;
    return box.scrollWidth > box.clientWidth;
  });
}

async function rightEdge(locator: Locator): Promise<number> {
  const box = await locator.boundingBox();
  return box === null ? Number.NaN : box.x + box.width;
}
