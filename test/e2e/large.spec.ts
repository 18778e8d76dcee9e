import { expect, test, type Page } from '@playwright/test';
import type { Part } from '../../relay/contract/a2a.ts';
import { artifactPart } from '../../relay/contract/artifact.ts';
import type { InboxItem } from '../../relay/contract/desk-api.ts';
import type { ThreadEvent } from '../../relay/contract/handoff.ts';
import { created, item, NONE, said } from '../unit/renderer/samples.ts';
import { driveWindow } from '../support/window-driver.ts';
import { drawn, openScriptedWindow, pageCpuTime } from './scripted-window.ts';

// What a peer may send is up to 1 MB, and a thread may have thousands of messages: none of it freezes the window.

/** Far more than any of it takes, and far less than what was drawn to its end took: several seconds to minutes. */
const MOST_MS = 2_500;
const FILE = '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n';

const MESSAGES: Readonly<Record<string, readonly Part[]>> = {
  'a fence of spaces': [{ text: `\`\`\`${' '.repeat(120_000)}\`` }],
  'one long line': [{ text: 'w'.repeat(900_000) }],
  'code in every word': [{ text: '`a` '.repeat(225_000) }],
  'many fences': [{ text: '```\na\n```\n'.repeat(90_000) }],
  'hidden characters': [{ text: '\u200B\u200C'.repeat(150_000) }],
  'hidden characters apart': [{ text: 'a\u200Bb\u200C'.repeat(110_000) }],
  'many texts': Array.from({ length: 20_000 }, () => ({ text: 'a' })),
  'many links': Array.from({ length: 8_000 }, () => artifactPart({ type: 'link', url: 'https://example.com/' })),
  'many files': [artifactPart({ type: 'file_diff', diff: FILE.repeat(15_000) })],
  'many diffs': Array.from({ length: 400 }, () => artifactPart({ type: 'file_diff', diff: FILE.repeat(60) })),
};

test('no message freezes the window, when it opens or when more of it is asked for', async ({ page }) => {
  await openScriptedWindow(
    page,
    threads(Object.entries(MESSAGES).map(([name, parts]) => handoff(name, [first(parts)]))),
  );
  for (const name of Object.keys(MESSAGES)) {
    expect.soft(await pageCpuTime(page, () => open(page, name)), `${name} opens`).toBeLessThan(MOST_MS);
    const more = driveWindow(page).messages.getByRole('button', { name: /more/ }).last();
    if ((await more.count()) === 0) continue;
    expect.soft(await pageCpuTime(page, () => more.click()), `more of ${name}`).toBeLessThan(MOST_MS);
  }
});

test('a long text is read to its end step by step, and copied at once', async ({ page }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const text = `${'A line of a log\n'.repeat(1_500)}The end`;
  await openScriptedWindow(page, threads([handoff('A log', [first([{ text }])])]));
  const window = driveWindow(page);
  await open(page, 'A log');
  await window.messages.getByRole('button', { name: 'Copy the whole text' }).click();
  await expect(window.messages.getByRole('button', { name: 'Copied the whole text' })).toBeVisible();
  const more = window.messages.getByRole('button', { name: /^Show more/ });
  for (let clicks = 0; clicks < 10 && (await more.count()) > 0; clicks += 1) await more.click();
  await expect(window.messages.getByText('The end')).toBeVisible();
  expect((await window.messages.innerText()).match(/A line of a log/g)).toHaveLength(1_500);
});

test('a thread of 10,000 messages opens where it was left, and is read in both directions', async ({ page }) => {
  const events = [created(), ...Array.from({ length: 9_999 }, (_, index) => said(index + 2))];
  await openScriptedWindow(
    page,
    threads([handoff('New', events), handoff('Half', events, 5_000), handoff('Read', events, 10_000)]),
  );
  const thread = page.getByRole('region', { name: 'Messages' });
  const message = (version: number) => thread.getByText(`message ${version}`, { exact: true });
  for (const subject of ['New', 'Half', 'Read']) {
    expect.soft(await pageCpuTime(page, () => open(page, subject)), `${subject} opens`).toBeLessThan(MOST_MS);
  }
  await expect(message(10_000)).toBeInViewport();

  await open(page, 'Half');
  await expect(message(5_001)).toBeInViewport();
  // what the reader looks at stays where it is
  const before = await message(5_001).boundingBox();
  await thread.getByRole('button', { name: /earlier entries/ }).press('Enter');
  await expect(message(5_000)).toBeAttached();
  const after = await message(5_001).boundingBox();
  expect(Math.abs((after?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(2);

  const later = thread.getByRole('button', { name: /later entries/ });
  for (let clicks = 0; clicks < 12; clicks += 1) {
    expect.soft(await pageCpuTime(page, () => later.press('Enter'))).toBeLessThan(MOST_MS);
  }
  expect(await thread.getByRole('article').count()).toBeLessThan(1_200);
  await thread.getByRole('button', { name: 'Go to the end' }).click();
  await expect(message(10_000)).toBeInViewport();
  // the button is gone, and the keyboard still scrolls the thread
  await expect(thread).toBeFocused();
});

test('a list of 1,000 handoffs opens at once, and the keyboard goes through it', async ({ page }) => {
  const many = threads(
    Array.from({ length: 1_000 }, (_, index) => handoff(`Handoff ${index}`, [first([{ text: 'a' }])])),
  );
  expect(await pageCpuTime(page, () => openScriptedWindow(page, many))).toBeLessThan(MOST_MS);
  const rows = page.getByRole('option');
  expect(await rows.count()).toBeLessThan(60);
  await page.getByRole('listbox', { name: 'Handoffs' }).focus();
  const time = await pageCpuTime(page, async () => {
    for (let presses = 0; presses < 30; presses += 1) await page.keyboard.press('j');
    await drawn(page);
  });
  expect(time).toBeLessThan(MOST_MS);
  await expect(page.getByRole('option', { selected: true })).toBeInViewport();
});

function first(parts: readonly Part[]): ThreadEvent {
  return created({ message: { messageId: 'm1', role: 'ROLE_USER', parts: [...parts] } });
}

function handoff(
  summary: string,
  events: readonly ThreadEvent[],
  surfaced = 0,
): { item: InboxItem; events: readonly ThreadEvent[] } {
  const version = events.length;
  const receipts = { sender: NONE, recipient: { ...NONE, surfaced } };
  return { item: item({ task_id: summary, summary, version, last_version: version, receipts }), events };
}

function threads(all: readonly ReturnType<typeof handoff>[]): ReadonlyMap<string, ReturnType<typeof handoff>> {
  return new Map(all.map((one) => [one.item.task_id, one]));
}

async function open(page: Page, subject: string): Promise<void> {
  await page
    .getByRole('option')
    .filter({ has: page.getByText(subject, { exact: true }) })
    .click();
  await page.getByRole('article', { name: subject, exact: true }).getByRole('list', { name: 'Thread' }).waitFor();
}
