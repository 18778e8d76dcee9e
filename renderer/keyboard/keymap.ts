/** What a key can ask for. */
export type KeyAction =
  | 'next'
  | 'previous'
  | 'open'
  | 'back'
  | 'accept'
  | 'decline'
  | 'complete'
  | 'ask'
  | 'fail'
  | 'cancel'
  | 'trust'
  | 'reply'
  | 'send'
  | 'help';

/** One line of the table. */
export interface KeyBinding {
  readonly action: KeyAction;
  /** `KeyboardEvent.key` values; the first is the one that is shown. */
  readonly keys: readonly string[];
  /** Keys that mean something else outside of the list: they press a button, scroll a text. */
  readonly listKeys?: readonly string[];
  /** With Command on a Mac, Control elsewhere. */
  readonly withCommand?: true;
  /** Also while text is typed. Everything else is then text. */
  readonly whileTyping?: true;
  /** What it does, for the sheet of all keys. */
  readonly words: string;
}

/** Every key there is: the sheet shows this table, and the window listens to it. */
export const KEYMAP: readonly KeyBinding[] = [
  { action: 'next', keys: ['j'], listKeys: ['ArrowDown'], words: 'Next in the list' },
  { action: 'previous', keys: ['k'], listKeys: ['ArrowUp'], words: 'Previous in the list' },
  { action: 'open', keys: [], listKeys: ['Enter'], words: 'Open what is selected' },
  { action: 'back', keys: ['Escape'], whileTyping: true, words: 'Back, or stop writing' },
  { action: 'accept', keys: ['a'], words: 'Accept' },
  { action: 'decline', keys: ['d'], words: 'Decline, with a reason' },
  { action: 'complete', keys: ['c'], words: 'Complete, with a summary' },
  { action: 'ask', keys: ['q'], words: 'Ask a question' },
  { action: 'fail', keys: ['f'], words: 'Report failure, with a reason' },
  { action: 'cancel', keys: ['x'], words: 'Cancel what you sent, drop what waits to be sent' },
  { action: 'trust', keys: ['t'], words: 'Trust whose handoff is held' },
  { action: 'reply', keys: ['r'], words: 'Reply' },
  { action: 'send', keys: ['Enter'], withCommand: true, whileTyping: true, words: 'Send' },
  { action: 'help', keys: ['?'], words: 'Show all keys' },
];

/** What of a key press the table looks at. */
export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  /** Where the keyboard is: in a field where text is typed, in the list or nowhere, or on anything else. */
  readonly place: 'field' | 'list' | 'control';
}

/** What a key press asks for; undefined when it is none of ours. Letters count in either case. */
export function actionOf(press: KeyPress): KeyAction | undefined {
  if (press.altKey) return undefined;
  const command = press.ctrlKey || press.metaKey;
  const key = press.key.length === 1 ? press.key.toLowerCase() : press.key;
  return KEYMAP.find(
    (binding) =>
      (binding.keys.includes(key) || (press.place === 'list' && binding.listKeys?.includes(key) === true)) &&
      command === (binding.withCommand === true) &&
      (press.place !== 'field' || binding.whileTyping === true),
  )?.action;
}

/** The caps that are shown for an action: `['⌘', '↵']`. */
export function keyCaps(action: KeyAction, mac: boolean): readonly string[] {
  const { key, withCommand } = shown(action);
  return [...(withCommand ? [mac ? '⌘' : 'Ctrl'] : []), capOf(key)];
}

/** The same for `aria-keyshortcuts`. */
export function ariaKeys(action: KeyAction): string {
  const { key, withCommand } = shown(action);
  if (withCommand) return `Control+${key} Meta+${key}`;
  return key.length === 1 ? key.toUpperCase() : key;
}

function shown(action: KeyAction): { readonly key: string; readonly withCommand: boolean } {
  const binding = KEYMAP.find((one) => one.action === action);
  const [key = ''] = [...(binding?.keys ?? []), ...(binding?.listKeys ?? [])];
  return { key, withCommand: binding?.withCommand === true };
}

function capOf(key: string): string {
  switch (key) {
    case 'Enter':
      return '↵';
    case 'Escape':
      return 'Esc';
    default:
      return key.length === 1 ? key.toUpperCase() : key;
  }
}
