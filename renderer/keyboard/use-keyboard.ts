import { useEffect } from 'react';
import type { WindowActions } from '../state/actions.ts';
import { assertNever } from '../../relay/contract/assert-never.ts';
import { useActions } from '../window-context.ts';
import { actionOf, type KeyAction, type KeyPress } from './keymap.ts';

/** Listens to the keys of the table, wherever the keyboard is. */
export function useKeyboard(): void {
  const actions = useActions();
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      // an open dialog has the keyboard to itself
      if (event.defaultPrevented || document.querySelector('dialog[open]') !== null) return;
      const action = actionOf({
        key: event.key,
        ctrlKey: event.ctrlKey,
        metaKey: event.metaKey,
        altKey: event.altKey,
        place: placeOf(document.activeElement),
      });
      if (action === undefined) return;
      const walks = action === 'next' || action === 'previous';
      event.preventDefault();
      // a key that is held down walks on, but decides once
      if (walks || !event.repeat) run(action, actions);
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [actions]);
}

function placeOf(focused: Element | null): KeyPress['place'] {
  if (focused === null || focused === document.body || focused.getAttribute('role') === 'listbox') return 'list';
  return focused instanceof HTMLTextAreaElement ? 'field' : 'control';
}

function run(action: KeyAction, actions: WindowActions): void {
  switch (action) {
    case 'next':
      return actions.move(1);
    case 'previous':
      return actions.move(-1);
    case 'open':
      return actions.open();
    case 'back':
      return actions.back();
    case 'accept':
      return actions.take('accept');
    case 'decline':
    case 'complete':
    case 'ask':
    case 'fail':
    case 'reply':
      return actions.begin(action);
    case 'cancel':
      return actions.cancel();
    case 'trust':
      return actions.ask('trust');
    case 'send':
      return actions.send();
    case 'help':
      return actions.showHelp(true);
    default:
      return assertNever(action);
  }
}
