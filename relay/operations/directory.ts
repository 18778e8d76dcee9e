import { formatHandle, NAME_PATTERN } from '../contract/handle.ts';
import { visibleLine } from '../contract/plain-text.ts';
import { visibleName } from '../contract/visible-handle.ts';
import { invalidParams } from '../contract/reasons.ts';
import type { Agent, DirectoryQuery } from '../store/ports.ts';
import type { Call, RelayContext } from './context.ts';

/** An agent, as the directory shows it. A type, and no interface, so that it is JSON to the type system too. */
export type DirectoryRow = {
  readonly handle: string;
  readonly name: string;
  readonly description: string;
  readonly role?: string;
  /** Names. */
  readonly skills: readonly string[];
  readonly repos: readonly string[];
  /** Whether it has anything open at the relay. */
  readonly online: boolean;
  readonly card_url: string;
};

export interface DirectoryPage {
  readonly agents: readonly DirectoryRow[];
  /** Empty on the last page. */
  readonly nextCursor: string;
}

/** What to look for (relay/store/ports.ts, DirectoryQuery), and how much of it to show. */
export type DirectorySearch = Pick<DirectoryQuery, 'text' | 'skill' | 'repo' | 'limit'> & {
  /** `nextCursor` of the page before. */
  readonly cursor?: string;
};

type DirectoryContext = Pick<RelayContext, 'relay' | 'directory' | 'presence' | 'cards'>;

/** A page of the agents that a caller may find, in the order of their names. INVALID_PARAMS for a cursor of another's. */
export async function searchDirectory(
  context: DirectoryContext,
  { principal }: Pick<Call, 'principal'>,
  { text, cursor, limit, ...filters }: DirectorySearch,
): Promise<DirectoryPage> {
  const found = await context.directory.searchAgents({
    ...filters,
    // a handle in full is found by its name
    ...(text === undefined ? {} : { text: text.replaceAll(`@${context.relay.name}`, '') }),
    ...(cursor === undefined || cursor === '' ? {} : { after: readCursor(cursor) }),
    viewer: principal.agent.id,
    // one more tells whether there is another page
    limit: limit + 1,
  });
  const shown = found.slice(0, limit);
  const last = found.length > limit ? shown.at(-1) : undefined;
  return {
    agents: shown.map((agent) => rowOf(context, agent)),
    nextCursor: last === undefined ? '' : Buffer.from(last.name).toString('base64url'),
  };
}

/** Everything in it is the agent's own word, made visible. */
function rowOf({ relay, presence, cards }: DirectoryContext, agent: Agent): DirectoryRow {
  const { role } = agent;
  const handle = formatHandle(agent.name, relay.name);
  return {
    handle,
    name: visibleName(agent.displayName, handle) || agent.name,
    description: visibleLine(agent.description),
    ...(role === undefined ? {} : { role: visibleLine(role) }),
    skills: agent.skills.map(visibleLine),
    repos: agent.repos.map(visibleLine),
    online: presence.isConnected(agent.id),
    card_url: cards.addressOf(agent),
  };
}

/** Where a page ended: a name, which is compared and never looked up. */
function readCursor(cursor: string): string {
  const name = Buffer.from(cursor, 'base64url').toString();
  if (NAME_PATTERN.test(name)) return name;
  throw invalidParams('cursor', 'is none of this relay. Leave it out to start with the first page.');
}
