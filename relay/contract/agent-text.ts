import { HIDDEN, joinersInEmoji } from './hidden-characters.ts';
import { disguised } from './look-alikes.ts';

/** What terminals take as commands, whole: a style, a title, a link's target, text for the clipboard (ECMA-48). */
const SEQUENCE = [
  // CSI
  String.raw`(?:\x1b\[|\x9b)[\x30-\x3f]*[\x20-\x2f]*[\x40-\x7e]`,
  // OSC, DCS, SOS, PM, APC; one that does not end is no sequence, or it would hide the rest of the text
  String.raw`(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x90\x98\x9b-\x9f]*(?:\x07|\x1b\\|\x9c)`,
  String.raw`\x1b[\x20-\x2f]*[\x30-\x7e]`,
].join('|');
const REMOVED = new RegExp(`${SEQUENCE}|${HIDDEN.source}`, 'gu');
/** What begins a line for somebody, and not for everybody. */
const OTHER_LINE_ENDS = /\r(?!\n)|[\v\f\u0085\u2028\u2029]/g;

/** The two brackets of a boundary, and others that look like them. No text of a peer keeps one. */
const OPENING = /[\u27e6\u301a\u27ec\u2e28]/g;
const CLOSING = /[\u27e7\u301b\u27ed\u2e29]/g;
const ENDS = ['begins', 'text', 'ends'].map(disguised).join('|');
/** A boundary of ours, imitated with other brackets or other letters. */
const IMITATION = new RegExp(
  String.raw`[\p{Ps}\p{Pi}<=|][\s/]{0,3}${disguised('agent')}[\s_-]?${disguised('relay')}(?=[^\n]{0,80}(?:${ENDS}))`,
  'giu',
);
/** Tags and tokens with which hosts and models frame what is not the user's: a text of a peer neither opens nor ends one. */
const FRAME =
  /<(?=\/?(?:system-reminder|task-notification|hook_prompt|teammate-message|channel\s+source=|environment_context|user_instructions|function_calls|function_results|tool_use|tool_result|invoke\s+name=)|\|[a-z_]{2,32}\|>)/gi;

/** A peer's text, fit for an agent, and the way back to where each part of it stood. */
export interface AgentText {
  readonly text: string;
  /** How many UTF-16 code units were taken out. */
  readonly removed: number;
  /** Where the part of the original begins that stands at a place of `text`, in UTF-16 code units of both. */
  originOf(place: number): number;
}

/**
 * A peer's text as an agent may read it. What shows nothing, and whole control sequences, are taken out; half surrogates
 * become U+FFFD and all line ends line feeds; what imitates our boundary or a host's own frame is broken.
 */
export function agentText(original: string): AgentText {
  const even = original.toWellFormed().replace(OTHER_LINE_ENDS, '\n');
  const allowed = joinersInEmoji(even);
  const kept: { readonly from: number; readonly to: number }[] = [];
  let from = 0;
  for (const { 0: found, index } of even.matchAll(REMOVED)) {
    if (found === '\n' || found === '\t' || allowed.has(index)) continue;
    if (index > from) kept.push({ from, to: index });
    from = index + found.length;
  }
  if (from < even.length) kept.push({ from, to: even.length });
  // every replacement is as long as what it replaces, or places would mean nothing
  const text = kept
    .map((stretch) => even.slice(stretch.from, stretch.to))
    .join('')
    .replace(OPENING, '[')
    .replace(CLOSING, ']')
    .replace(IMITATION, (found) => `(${found.slice(1)}`)
    .replace(FRAME, '\u2039');
  return {
    text,
    removed: even.length - text.length,
    originOf(place) {
      let left = place;
      for (const stretch of kept) {
        const length = stretch.to - stretch.from;
        if (left < length) return stretch.from + left;
        left -= length;
      }
      return original.length;
    },
  };
}
