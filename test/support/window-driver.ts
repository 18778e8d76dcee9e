import type { Locator, Page } from '@playwright/test';

type SectionName = 'Needs you' | 'Waits to be sent' | 'Held by your rules' | 'Working' | 'Waiting on others' | 'Done';

/** What somebody sees and does in the window, by role and name only: whatever is found here, a screen reader finds too. */
export interface WindowDriver {
  /** Where it shows that this side is (not) connected: `Connected`, `Offline since 09:12`. */
  connection(): Promise<string>;
  /** The line above everything while something does not answer. */
  readonly banner: Locator;
  /** What a screen reader heard last. */
  readonly announcement: Locator;
  /** Heading of a page that stands in for the window. */
  readonly notice: Locator;

  show(place: 'Inbox' | 'Waiting' | 'Done'): Promise<void>;
  setTheme(theme: 'System' | 'Light' | 'Dark'): Promise<void>;

  /** A section of the list. */
  group(name: SectionName): Locator;
  /** The row of a handoff, by its subject or part of it. */
  row(subject: string): Locator;
  /** What every row in sight says, in order. */
  inboxRows(): Promise<readonly string[]>;
  openThread(subject: string): Promise<void>;
  /** Opens what waits to be sent. */
  openUnsent(text: string): Promise<void>;

  /** The state of what is open, in words. */
  threadState(): Promise<string>;
  /** The line that says how its peer is trusted, and what holds it. */
  readonly trustLine: Locator;
  /** Messages and artifacts of the open thread, in order. */
  readonly messages: Locator;
  message(text: string): Locator;
  /** The steps of the handoff, such as "frank@acme accepted". */
  stateLines(): Promise<readonly string[]>;
  readonly artifactFrames: Locator;
  /** The foot of the thread. */
  readonly dock: Locator;
  /** Why the last step was refused. */
  readonly refusal: Locator;

  accept(): Promise<void>;
  decline(reason: string): Promise<void>;
  reply(text: string): Promise<void>;
  complete(summary: string): Promise<void>;
  ask(question: string): Promise<void>;
  fail(reason: string): Promise<void>;
  cancel(reason: string): Promise<void>;
}

/** Drives the window in a page, in whichever shell it is shown. */
export function driveWindow(page: Page): WindowDriver {
  const list = page.getByRole('listbox', { name: 'Handoffs' });
  const thread = page.getByRole('list', { name: 'Thread' });
  const dock = page.getByRole('region', { name: 'What you can do' });

  /** Opens the form of a step, fills its field and sends it. */
  const takeWritten = async (opens: string, text: string, submit: string): Promise<void> => {
    await dock.getByRole('button', { name: opens }).click();
    const form = dock.getByRole('form', { name: submit });
    await form.getByRole('textbox').fill(text);
    await form.getByRole('button', { name: submit }).click();
  };

  return {
    connection: async () =>
      (await page.getByRole('group', { name: 'Account' }).first().innerText()).split('\n').at(-1) ?? '',
    banner: page.getByRole('main').getByRole('status').first(),
    announcement: page.getByRole('log'),
    notice: page.getByRole('main').getByRole('heading', { level: 1 }),

    show: (place) => page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: place }).click(),
    setTheme: (theme) =>
      page.getByRole('group', { name: 'Theme' }).getByRole('radio', { name: theme }).check({ force: true }),

    group: (name) => list.getByRole('group', { name }),
    row: (subject) => list.getByRole('option', { name: subject }),
    inboxRows: () => list.getByRole('option').allInnerTexts(),
    openThread: async (subject) => {
      await list.getByRole('option', { name: subject }).click();
      await page.getByRole('article', { name: subject }).getByRole('list', { name: 'Thread' }).waitFor();
    },

    openUnsent: async (text) => {
      await list.getByRole('option', { name: text }).click();
      await page.getByRole('article', { name: text }).getByRole('region', { name: 'What was written' }).waitFor();
    },

    threadState: () => page.getByRole('status', { name: 'State' }).innerText(),
    trustLine: page.getByRole('note', { name: 'Trust' }),
    messages: thread.getByRole('article'),
    message: (text) => thread.getByRole('article').filter({ hasText: text }),
    stateLines: () =>
      thread
        .getByRole('listitem')
        .filter({ hasNot: page.getByRole('article') })
        .allInnerTexts(),
    artifactFrames: thread.getByRole('group', { name: 'Artifacts' }),
    dock,
    refusal: dock.getByRole('alert'),

    accept: () => dock.getByRole('button', { name: 'Accept' }).click(),
    decline: (reason) => takeWritten('Decline', reason, 'Decline'),
    complete: (summary) => takeWritten('Complete', summary, 'Complete'),
    ask: (question) => takeWritten('Ask a question', question, 'Ask'),
    fail: (reason) => takeWritten('Report failure', reason, 'Report failure'),
    reply: async (text) => {
      await dock.getByRole('textbox').fill(text);
      await dock.getByRole('button', { name: 'Send' }).click();
    },
    cancel: (reason) => takeWritten('Cancel', reason, 'Cancel the handoff'),
  };
}
