import { useEffect, useRef } from 'react';
import { useUi } from '../window-context.ts';
import type { FocusTarget } from './ui-store.ts';

/** Runs `take` when an action asks for the keyboard to be put there. Requests from before are not answered. */
export function useFocusRequest(target: FocusTarget, take: () => void): void {
  const focus = useUi((ui) => ui.focus);
  const seen = useRef(focus);
  useEffect(() => {
    if (focus === seen.current) return;
    seen.current = focus;
    if (focus.target === target) take();
  });
}
