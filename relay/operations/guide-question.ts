import { visibleLine } from '../contract/plain-text.ts';

/** What somebody asks the guide, in English. */
export type Question =
  /** `owner`: who owns something, rather than who knows it. `isAsked`: it is a question, and no mere word. */
  | { readonly kind: 'who'; readonly subject: string; readonly owner: boolean; readonly isAsked: boolean }
  | { readonly kind: 'help' };

/** What is looked at of a message: a question is no longer. */
const MAX_LENGTH = 300;
/** A text of so many words may be nothing but what is looked for. */
const MAX_BARE_WORDS = 3;

const ASKS = /^(?:who|whom|who's|which|whose|is there|any ?(?:one|body)|some ?(?:one|body)|find|search|look)\b/i;
const OWNS =
  /\b(?:own(?:s|er of)?|maintain(?:s|er of)?|works? (?:on|in)|working on|responsible for|in charge of|looks? after|takes? care of|handles?)\s+(.+)$/i;
const KNOWS =
  /\b(?:knows?(?: about)?|familiar with|works? with|helps?(?: me| us)?(?: out)? (?:with|on|in)|can do|does|expert (?:in|on|at|with)|good (?:at|with|in)|experience (?:in|with)|skilled in)\s+(.+)$/i;
const SAYS = /\b(?:about|for|with)\s+(.+)$/i;
const FINDS = /^(?:find|search|look)\s+(.+)$/i;

/** Reads a question. Words that are none are asked for as they are, where they are few. */
export function readQuestion(text: string): Question {
  const line = visibleLine(text.slice(0, MAX_LENGTH));
  const words = line.replace(/^(?:hi|hello|hey|please|ok|so)\b[\s,!.:]*/i, '');
  if (ASKS.test(words)) {
    const owned = subjectOf(OWNS, words);
    const subject = owned ?? subjectOf(KNOWS, words) ?? subjectOf(SAYS, words) ?? subjectOf(FINDS, words);
    if (subject !== undefined) return { kind: 'who', subject, owner: owned !== undefined, isAsked: true };
  }
  const subject = tidy(words);
  const isBare = subject !== '' && subject.split(' ').length <= MAX_BARE_WORDS;
  return isBare ? { kind: 'who', subject, owner: subject.includes('/'), isAsked: false } : { kind: 'help' };
}

function subjectOf(form: RegExp, words: string): string | undefined {
  const subject = tidy(form.exec(words)?.[1] ?? '');
  return subject === '' ? undefined : subject;
}

/** Without what stands around it: articles, quotes, `here`, `please`, and the end of the sentence. */
function tidy(words: string): string {
  return words
    .replace(/[\s?!.,;:]+$/, '')
    .replace(/ (?:here|please|around|on this relay)$/i, '')
    .replace(/^(?:the|our|my|a|an|some) /i, '')
    .replace(/^["'`“‘«]+|["'`”’»?!.,;:]+$/g, '')
    .trim();
}
