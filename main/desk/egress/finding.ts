/** A text that is about to leave, and where in what is sent it stands: `body`, `artifacts[0].diff`. */
export interface Passage {
  readonly where: string;
  readonly text: string;
}

/** A place in a text that a rule has found something in. */
export interface Range {
  readonly rule: string;
  readonly start: number;
  readonly end: number;
}

/** Below that, so much of a secret would be a good part of it. */
const SHOWN_FROM = 16;

/** A secret, as it may be shown and written down. */
export function mask(secret: string): string {
  const length = `${secret.length} characters`;
  if (secret.length < SHOWN_FROM) return `…, ${length}`;
  return `${oneLine(secret.slice(0, 4))}…${oneLine(secret.slice(-2))}, ${length}`;
}

/** Without what would leave its line, or be taken for something else there. */
function oneLine(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '·');
}
