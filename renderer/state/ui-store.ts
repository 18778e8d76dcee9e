import { z } from 'zod';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Selected } from './item.ts';
import type { Storage } from './storage.ts';

const themeSchema = z.enum(['system', 'light', 'dark']);
export type Theme = z.infer<typeof themeSchema>;

const terminalSchema = z.object({ command: z.string(), start: z.string().exactOptional() });
/** How the app is called from a terminal, from any folder: its command line, and what starts it. */
export type Terminal = z.infer<typeof terminalSchema>;

const selectedSchema: z.ZodType<Selected> = z.union([
  z.object({ account: z.string(), taskId: z.string() }),
  z.object({ account: z.string(), outboxId: z.string() }),
]);
const offset = z.number().nonnegative();
/** What survives a restart. Anything in it that cannot be read is as at the first start. */
const keptSchema = z.object({
  theme: themeSchema.catch('system'),
  filter: z.enum(['inbox', 'waiting', 'done']).catch('inbox'),
  /** What is open. */
  selected: selectedSchema.optional().catch(undefined),
  /** How far each list is scrolled, CSS pixels. */
  scroll: z.object({ inbox: offset, waiting: offset, done: offset }).catch({ inbox: 0, waiting: 0, done: 0 }),
  /** As the desk said it last: what to type when it does not answer. */
  terminal: terminalSchema.optional().catch(undefined),
});
type Kept = z.infer<typeof keptSchema>;

/** Where an action may put the keyboard. */
export type FocusTarget = 'list' | 'thread' | 'dock';

/** What the window itself is about: what is selected and how it looks. */
export interface UiState extends Kept {
  /** Which of the two shows, where there is room for one. */
  readonly pane: 'list' | 'thread';
  readonly helpOpen: boolean;
  /** Where the keyboard is to be put next; whatever stands there takes it. */
  readonly focus: FocusTarget | undefined;
}

export type UiStore = StoreApi<UiState>;

const NAME = 'window';

/** The window's own state: as it was left, and kept from now on. */
export function createUiStore(storage: Storage): UiStore {
  const kept = keptSchema.safeParse(storage.read(NAME)).data ?? keptSchema.parse({});
  const store = createStore<UiState>(() => ({
    ...kept,
    pane: 'list',
    helpOpen: false,
    focus: undefined,
  }));
  store.subscribe(({ theme, filter, selected, scroll, terminal }) =>
    storage.write(NAME, { theme, filter, selected, scroll, terminal }),
  );
  return store;
}
