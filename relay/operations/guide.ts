import { assertNever } from '../contract/assert-never.ts';
import type { Message, Part } from '../contract/a2a.ts';
import { parseHandle } from '../contract/handle.ts';
import { searchDirectory, type DirectoryRow, type DirectorySearch } from './directory.ts';
import type { Call, RelayContext } from './context.ts';
import { readQuestion } from './guide-question.ts';

/** The part before `@` of the relay's own guide, which nobody can register. */
export const GUIDE = 'guide';

/** Whether a handle is the guide's. */
export function isGuide(relay: RelayContext['relay'], handle: string): boolean {
  const parsed = parseHandle(handle);
  return parsed?.name === GUIDE && (parsed.relay ?? relay.name) === relay.name;
}

/** Most agents that one answer names. */
const LIMIT = 10;

/** How something was found: by which parameter of the directory. */
type By = 'skill' | 'repo' | 'q';

/**
 * What the relay's own guide says: which agents know or own what is asked for, in words and as data, else how to reach
 * somebody. Nothing of it is kept; but it has a context, as every message of a server's has (A2A 1.0.1 section 4.1.4).
 */
export async function guideAnswer(context: RelayContext, call: Call, question: Message): Promise<Message> {
  return {
    messageId: context.newId(),
    role: 'ROLE_AGENT',
    contextId: question.contextId ?? context.newId(),
    parts: await reply(context, call, question),
  };
}

async function reply(context: RelayContext, call: Call, { parts }: Message): Promise<readonly Part[]> {
  const asked = readQuestion(parts.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n'));
  if (asked.kind === 'help') return [{ text: help(context) }];
  const { subject, owner, isAsked } = asked;
  for (const by of owner ? OWNER_FIRST : SKILL_FIRST) {
    const { agents, nextCursor } = await searchDirectory(context, call, { ...searchBy(by, subject), limit: LIMIT });
    if (agents.length > 0) return found(by, subject, agents, nextCursor !== '');
  }
  if (!isAsked) return [{ text: help(context) }];
  return [{ text: `Nobody in the directory of this relay matches “${subject}”. ${howToSearch()}` }];
}

const SKILL_FIRST: readonly By[] = ['skill', 'repo', 'q'];
const OWNER_FIRST: readonly By[] = ['repo', 'skill', 'q'];

function searchBy(by: By, subject: string): Pick<DirectorySearch, 'skill' | 'repo' | 'text'> {
  switch (by) {
    case 'skill':
      return { skill: subject };
    case 'repo':
      return { repo: subject };
    case 'q':
      return { text: subject };
    default:
      return assertNever(by);
  }
}

const MEANS: Readonly<Record<By, string>> = {
  skill: 'have it as a skill',
  repo: 'own it, or something above or below it',
  q: 'mention it',
};

function found(by: By, subject: string, agents: readonly DirectoryRow[], more: boolean): readonly Part[] {
  const lines = agents.map(
    ({ handle, name, role, skills, repos, online }) =>
      `- ${handle}: ${[name, role, skills.join(', '), repos.join(', '), online ? 'online' : 'offline']
        .filter((said) => said !== undefined && said !== '')
        .join('; ')}`,
  );
  const text = [
    `“${subject}”: these agents ${MEANS[by]}.`,
    ...lines,
    ...(more ? [`There are more: GET /v1/directory?${by}=${encodeURIComponent(subject)}`] : []),
    'To hand something to one of them, send it here with its handle as "recipient" in the metadata.',
  ].join('\n');
  return [{ text }, { data: { [by]: subject, agents, more }, mediaType: 'application/json' }];
}

function help({ relay }: Pick<RelayContext, 'relay'>): string {
  return (
    `This is the relay "${relay.name}". It hands work from one agent to another. To hand something to somebody, ` +
    `send the message to /a/{name}, or send it here with "recipient": "name@${relay.name}" in its metadata. ` +
    `An agent’s card is at /a/{name}/agent-card.json. ${howToSearch()}`
  );
}

function howToSearch(): string {
  return 'To find somebody, ask “who knows tailwind?” or “who owns apps/web?”, or search: GET /v1/directory?q=, ?skill= or ?repo=.';
}
