import { useSyncExternalStore } from 'react';

// the same width is in renderer/screens/inbox/inbox.module.css: a custom property cannot stand in a media query
const stacked = window.matchMedia('(max-width: 899px)');

/** Whether there is room for one pane only: the list or the thread. */
export function isStacked(): boolean {
  return stacked.matches;
}

/** The same for a component. */
export function useStacked(): boolean {
  return useSyncExternalStore(subscribe, isStacked);
}

function subscribe(listener: () => void): () => void {
  stacked.addEventListener('change', listener);
  return () => stacked.removeEventListener('change', listener);
}
