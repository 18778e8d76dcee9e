import { createContext, use } from 'react';
import { useStore } from 'zustand';
import type { WindowActions } from './state/actions.ts';
import type { ComposeState } from './state/compose.ts';
import type { ComposeStore } from './state/compose-store.ts';
import type { DeskStore } from './state/desk-store.ts';
import type { DeskState } from './state/reducer.ts';
import type { UiState, UiStore } from './state/ui-store.ts';

/** What every part of the window may look at and do. */
export interface WindowContext {
  readonly desk: DeskStore;
  readonly ui: UiStore;
  readonly compose: ComposeStore;
  readonly actions: WindowActions;
}

const Context = createContext<WindowContext | undefined>(undefined);

export const WindowProvider = Context;

function useWindowContext(): WindowContext {
  const context = use(Context);
  if (context === undefined) throw new Error('This part of the window stands outside of its WindowProvider.');
  return context;
}

/** What the window knows of the desk. `select` must not build a new object each time. */
export function useDesk<T>(select: (state: DeskState) => T): T {
  return useStore(useWindowContext().desk, select);
}

/** What the window is about itself. */
export function useUi<T>(select: (state: UiState) => T): T {
  return useStore(useWindowContext().ui, select);
}

/** What is being written. */
export function useCompose<T>(select: (state: ComposeState) => T): T {
  return useStore(useWindowContext().compose, select);
}

/** What can be done. The same object for the life of the window. */
export function useActions(): WindowActions {
  return useWindowContext().actions;
}
