import { expect, test, type Locator, type Page } from '@playwright/test';
import type { Part } from '../../relay/contract/a2a.ts';
import type { HandoffView, ThreadEvent } from '../../relay/contract/handoff.ts';
import type { EgressFinding, OutboxItem } from '../../relay/contract/outbox.ts';
import { printableJson } from '../../relay/contract/printable-json.ts';
import { driveWindow } from '../support/window-driver.ts';
import { HOSTILE_STRINGS, hostilePieces } from '../support/hostile-corpus.ts';
import { hostileParts } from '../support/hostile-parts.ts';
import { rawDangers } from '../support/raw-dangers.ts';
import { created, item, LISTED, NONE, receipt, step, unsent } from '../unit/renderer/samples.ts';
import { openScriptedWindow, type Threads } from './scripted-window.ts';

// all places are in sight at once; a trace of so large a page takes longer than the test
test.use({ viewport: { width: 1280, height: 2_000 }, trace: 'off' });

// Everything that a peer can write, in every place of the window where it is shown. The address of the page is the only one
// that it may ask for anything.

test('the window shows every hostile string for what it is, and follows none', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).origin));
  page.on('dialog', (dialog) => void dialog.dismiss());
  await openScriptedWindow(page, threads(), { outbox: outbox() });
  const origin = new URL(page.url()).origin;

  const seen = new Set(await rowsOfList(page));
  const links = new Set<string>();
  for (const place of PLACES) {
    await openAllOf(page, place);
    for (const text of await everyString(page)) seen.add(text);
    for (const link of await page.locator('article a').evaluateAll(hrefs)) links.add(link);
  }
  await driveWindow(page).show('Waiting');
  for (const text of UNSENT.keys()) {
    await page
      .getByRole('option')
      .filter({ has: page.getByText(unsentName(text), { exact: true }) })
      .click();
    const pane = page.getByRole('article', { name: unsentName(text), exact: true });
    await unfold(pane.getByRole('note', { name: 'Why it waits' }));
    for (const string of await everyString(page)) seen.add(string);
  }

  // what hides is there, as marks
  expect([...seen].filter((text) => text === 'RLO').length).toBe(1);
  expect([...seen].filter((text) => text.includes('window.__hostile')).length).toBeGreaterThan(10);
  expect(
    [...seen].filter((text) => rawDangers(text).length > 0).map((text) => printableJson(text).slice(0, 80)),
  ).toEqual([]);
  // a link leads to a page of the web, its host as a browser reads it and nothing hidden in it, or it is no link
  expect([...links].filter((href) => !/^https?:\/\/[!-~]+$/.test(href))).toEqual([]);
  expect([...links].filter((href) => href.includes('xn--'))).not.toEqual([]);
  expect(await page.evaluate(() => '__hostile' in window)).toBe(false);
  expect(await page.evaluate(() => document.querySelectorAll('iframe, object, embed, base, body script').length)).toBe(
    0,
  );
  expect(new Set(asked)).toEqual(new Set([origin]));
});

const REASONS = hostilePieces(4_000, '\n');
/** Names of handoffs that hold the corpus in the places that their names say. */
const PLACES: readonly string[] = [
  ...Object.keys(hostileParts([])),
  'a proposal',
  'session labels',
  'own paths',
  ...REASONS.map((_, at) => `reason number ${at}.`),
];

/** What an agent of ours wrote and was not sent, part by part: it may have been told what to write. */
const UNSENT = hostilePieces(3_900, '\n');
const unsentName = (at: number): string => `unsent number ${at}.`;

function outbox(): readonly OutboxItem[] {
  const whole = UNSENT.map((text, at) =>
    unsent({
      id: `whole ${at}`,
      task_id: 'session labels',
      state: 'waiting_contact',
      text: `${unsentName(at)}\n${text}`,
      // a relay may have said why
      reason: text,
      findings: [
        // in the middle of whatever stands there
        ...Array.from({ length: 40 }, (_, place) => ({ ...FINDING, start: place * 97 + 1, end: place * 97 + 5 })),
        ...text.split('\n').map((piece) => ({ ...FINDING, where: piece, rule: piece, masked: piece })),
      ],
    }),
  );
  const rows = HOSTILE_STRINGS.map((text, at) => unsent({ id: `row ${at}`, text, state: 'returned', reason: text }));
  return [...whole, ...rows];
}

const FINDING: EgressFinding = { where: 'body', rule: 'github', start: 0, end: 0, masked: '…' };

function threads(): Threads {
  const all = HOSTILE_STRINGS.join('\n');
  const kinds = Object.entries(hostileParts(HOSTILE_STRINGS)).map(([kind, parts]) => handoff(kind, [first(parts)]));
  const proposal = created({
    proposedAction: { description: all, target_files: [...HOSTILE_STRINGS], rationale: all, suggested_diff: all },
  });
  const labels = hostilePieces(128).map((label, at) => receipt(at + 2, 'acked', 1, { label }));
  const reasons = REASONS.map((reason, at) =>
    handoff(`reason number ${at}.`, [first([{ text: 'a' }]), step(2, 'decline', 'declined', { reason })], {
      role: 'sender',
      sender: 'alice@acme',
      recipient: 'frank@acme',
      reason,
    }),
  );
  const subjects = HOSTILE_STRINGS.map((summary, at) =>
    handoff(summary, [first([{ text: 'a' }])], { task_id: `s${at}`, updated_at: 1_000 }),
  );
  return new Map(
    [
      ...kinds,
      handoff('a proposal', [proposal]),
      handoff('session labels', [first([{ text: 'a' }]), ...labels], {
        role: 'sender',
        sender: 'alice@acme',
        recipient: 'frank@acme',
        receipts: { sender: NONE, recipient: { offered: 1, surfaced: 1, acked: 1, held: false } },
      }),
      ownPaths(),
      ...reasons,
      ...subjects,
    ].map((one) => [one.item.task_id, one]),
  );
}

/** A peer's thread names paths of `trust.yaml`, which somebody else may have sent to be put there. */
function ownPaths() {
  const { item: row, events } = handoff('own paths', [first([{ text: 'a' }])]);
  const grants = { ...LISTED.grants, auto_write_paths: hostilePieces(450).slice(0, 2) };
  return { item: { ...row, trust: { ...LISTED, grants } }, events };
}

function first(parts: readonly Part[]): ThreadEvent {
  return created({ message: { messageId: 'm1', role: 'ROLE_USER', parts: [...parts] } });
}

function handoff(summary: string, events: readonly ThreadEvent[], over: Partial<HandoffView> = {}) {
  const version = events.length;
  // still open, so that all are in one list
  return { item: item({ task_id: summary, summary, version, updated_at: 2_000, ...over }), events };
}

/** All strings of the list, from its first row to its last. */
function rowsOfList(page: Page): Promise<readonly string[]> {
  return page.getByRole('listbox', { name: 'Handoffs' }).evaluate(async (list) => {
    const scroller = list.parentElement;
    if (scroller === null) throw new Error('no list');
    const seen = new Set<string>();
    for (let top = 0; top < scroller.scrollHeight; top += scroller.clientHeight / 2) {
      scroller.scrollTop = top;
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      for (const row of list.querySelectorAll('[role=option]')) {
        const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) seen.add(walker.currentNode.textContent ?? '');
      }
    }
    scroller.scrollTop = 0;
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    return [...seen];
  });
}

/** Opens a thread, and all that is folded in it. */
async function openAllOf(page: Page, subject: string): Promise<void> {
  const row = page.getByRole('option').filter({ has: page.getByText(subject, { exact: true }) });
  await row.click();
  const list = page.getByRole('article', { name: subject, exact: true }).getByRole('list', { name: 'Thread' });
  await unfold(list);
}

/** Opens what is folded in a part of the page, and asks for more until there is no more. */
async function unfold(part: Locator): Promise<void> {
  await part.evaluate(async (thread) => {
    for (let round = 0; round < 200; round += 1) {
      const buttons = [...thread.querySelectorAll('button')].filter(
        (button) =>
          button.getAttribute('aria-expanded') === 'false' || / more |more$|^Show more/.test(button.textContent),
      );
      if (buttons.length === 0) return;
      for (const button of buttons) button.click();
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    throw new Error('there is always more');
  });
}

function hrefs(links: readonly Element[]): readonly string[] {
  return links.map((link) => link.getAttribute('href') ?? '');
}

/** Every text and every attribute of the page. */
function everyString(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const strings = new Set<string>([document.title]);
    const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      if (node instanceof Element) for (const { value } of node.attributes) strings.add(value);
      else strings.add(node.textContent ?? '');
    }
    return [...strings];
  });
}
