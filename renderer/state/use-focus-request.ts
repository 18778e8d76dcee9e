import { useEffect, useEffectEvent } from 'react';
import { useActions, useUi } from '../window-context.ts';
import type { FocusTarget } from './ui-store.ts';

/** Runs `take` when an action has asked for the keyboard to be put there, be it before this was drawn. */
export function useFocusRequest(target: FocusTarget, take: () => void): void {
  const { focusTaken } = useActions();
  const isAsked = useUi((ui) => ui.focus === target);
  const answer = useEffectEvent(() => {
    take();
    focusTaken();
  });
  useEffect(() => {
    if (isAsked) answer();
  }, [isAsked]);
}
