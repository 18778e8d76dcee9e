import type { DeskStore } from './desk-store.ts';
import type { UiStore } from './ui-store.ts';

/** Keeps what the desk said of how it is called from a terminal: it is needed when the desk no longer answers. */
export function keepTerminal(desk: DeskStore, ui: UiStore): void {
  desk.subscribe(({ terminal }, before) => {
    if (terminal !== undefined && terminal !== before.terminal) ui.setState({ terminal });
  });
}
