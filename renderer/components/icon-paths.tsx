import type { ReactNode } from 'react';

/** Every icon: drawn in a box of 16, with a stroke of 1.5 and round ends. Colour and size are the text's. */
export const ICON_PATHS = {
  // Mark: a relay contact. Closed is connected, open is offline.
  mark: (
    <>
      <path d="M3.25 12.75l9.5-9.5" />
      <circle cx="3.25" cy="12.75" r="2.75" fill="currentColor" stroke="none" />
      <circle cx="12.75" cy="3.25" r="2.75" fill="currentColor" stroke="none" />
    </>
  ),
  offline: (
    <>
      <path d="M3.5 12.5h8.75" />
      <circle cx="3.5" cy="12.5" r="2.5" fill="currentColor" stroke="none" />
      <circle cx="12.25" cy="4" r="2.25" />
    </>
  ),
  // Status: told apart by shape first, by colour second.
  needs: (
    <>
      <circle cx="8" cy="8" r="4" fill="currentColor" stroke="none" />
    </>
  ),
  working: (
    <>
      <circle cx="8" cy="8" r="5.25" />
      <path d="M8 4.75a3.25 3.25 0 0 1 0 6.5z" fill="currentColor" stroke="none" />
    </>
  ),
  held: (
    <>
      <circle cx="8" cy="8" r="5.25" />
      <path d="M6.75 6.25v3.5M9.25 6.25v3.5" />
    </>
  ),
  queued: (
    <>
      <circle cx="8" cy="8" r="5.25" />
      <path d="M8 5.25V8l1.75 1.25" />
    </>
  ),
  done: (
    <>
      <circle cx="8" cy="8" r="5.25" />
      <path d="M5.75 8.25l1.6 1.6 2.9-3.4" />
    </>
  ),
  failed: (
    <>
      <circle cx="8" cy="8" r="5.25" />
      <path d="M6.25 6.25l3.5 3.5M9.75 6.25l-3.5 3.5" />
    </>
  ),
  declined: (
    <>
      <circle cx="8" cy="8" r="5.25" />
      <path d="M5.75 8h4.5" />
    </>
  ),
  // Places.
  inbox: (
    <>
      <path d="M2.25 9h3.1l1.15 1.75h3L10.65 9h3.1M2.25 9v2.75c0 .83.67 1.5 1.5 1.5h8.5c.83 0 1.5-.67 1.5-1.5V9M2.25 9l1.6-5.2c.2-.63.78-1.05 1.43-1.05h5.44c.65 0 1.23.42 1.43 1.05L13.75 9" />
    </>
  ),
  waiting: (
    <>
      <circle cx="8" cy="8" r="5.75" />
      <path d="M8 4.75V8l2.1 1.4" />
    </>
  ),
  finished: (
    <>
      <circle cx="8" cy="8" r="5.75" />
      <path d="M5.5 8.25l1.75 1.75 3.25-3.75" />
    </>
  ),
  // Actions.
  chevronDown: (
    <>
      <path d="M4.5 6.25L8 9.75l3.5-3.5" />
    </>
  ),
  chevronRight: (
    <>
      <path d="M6.25 4.5L9.75 8l-3.5 3.5" />
    </>
  ),
  chevronLeft: (
    <>
      <path d="M9.75 4.5L6.25 8l3.5 3.5" />
    </>
  ),
  more: (
    <>
      <path d="M5.25 6L8 3.25 10.75 6M5.25 10L8 12.75 10.75 10" />
    </>
  ),
  arrowRight: (
    <>
      <path d="M3 8h10M9.25 4.25L13 8l-3.75 3.75" />
    </>
  ),
  check: (
    <>
      <path d="M3.25 8.5l3 3 6.5-7" />
    </>
  ),
  close: (
    <>
      <path d="M4 4l8 8M12 4l-8 8" />
    </>
  ),
  copy: (
    <>
      <rect x="5.75" y="5.75" width="7.5" height="7.5" rx="1.5" />
      <path d="M10.25 5.75v-1.5c0-.83-.67-1.5-1.5-1.5h-4.5c-.83 0-1.5.67-1.5 1.5v4.5c0 .83.67 1.5 1.5 1.5h1.5" />
    </>
  ),
  warn: (
    <>
      <path d="M8 2.5l5.9 10.25H2.1zM8 6.5v2.75M8 11v.01" />
    </>
  ),
  keys: (
    <>
      <rect x="1.75" y="4.25" width="12.5" height="7.5" rx="1.5" />
      <path d="M4.5 6.75h.01M7 6.75h.01M9.5 6.75h.01M12 6.75h-.01M5.5 9.25h5" />
    </>
  ),
  // Themes.
  shield: <path d="M8 1.75l5.25 1.9v4.1c0 3.1-2.1 5.35-5.25 6.5-3.15-1.15-5.25-3.4-5.25-6.5v-4.1z" />,
  system: (
    <>
      <rect x="1.75" y="2.75" width="12.5" height="8.5" rx="1.5" />
      <path d="M5.5 13.75h5M8 11.25v2.5" />
    </>
  ),
  light: (
    <>
      <circle cx="8" cy="8" r="2.75" />
      <path d="M8 1.5v1.25M8 13.25v1.25M1.5 8h1.25M13.25 8h1.25M3.4 3.4l.9.9M11.7 11.7l.9.9M3.4 12.6l.9-.9M11.7 4.3l.9-.9" />
    </>
  ),
  dark: (
    <>
      <path d="M13.25 9.4A5.75 5.75 0 1 1 6.6 2.75a4.75 4.75 0 0 0 6.65 6.65z" />
    </>
  ),
  // Things.
  diff: (
    <>
      <path d="M8 2.75v6.5M4.75 6h6.5M4.75 12.75h6.5" />
    </>
  ),
  file: (
    <>
      <path d="M9.25 1.75h-4c-.83 0-1.5.67-1.5 1.5v9.5c0 .83.67 1.5 1.5 1.5h5.5c.83 0 1.5-.67 1.5-1.5v-8zM9.25 1.75v3h3" />
    </>
  ),
  prompt: (
    <>
      <path d="M3 4.25L6.75 8 3 11.75M8.25 12h4.75" />
    </>
  ),
  contract: (
    <>
      <path d="M6 2.75c-1.4 0-2 .6-2 1.75v1.75C4 7.3 3.5 8 2.5 8 3.5 8 4 8.7 4 9.75v1.75c0 1.15.6 1.75 2 1.75M10 2.75c1.4 0 2 .6 2 1.75v1.75C12 7.3 12.5 8 13.5 8c-1 0-1.5.7-1.5 1.75v1.75c0 1.15-.6 1.75-2 1.75" />
    </>
  ),
  link: (
    <>
      <path d="M6.6 9.4a2.7 2.7 0 0 0 3.8 0l2.1-2.1a2.7 2.7 0 0 0-3.8-3.8l-.8.8M9.4 6.6a2.7 2.7 0 0 0-3.8 0L3.5 8.7a2.7 2.7 0 0 0 3.8 3.8l.8-.8" />
    </>
  ),
  data: (
    <>
      <path d="M5.5 2.75h-2c-.4 0-.75.35-.75.75v9c0 .4.35.75.75.75h2M10.5 2.75h2c.4 0 .75.35.75.75v9c0 .4-.35.75-.75.75h-2M6.5 8h.01M9.5 8h.01" />
    </>
  ),
} satisfies Record<string, ReactNode>;

export type IconName = keyof typeof ICON_PATHS;
