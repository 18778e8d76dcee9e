import type { CommandOutput } from '../../relay/contract/desk-api.ts';
import type { OutboxItem, OutboxState } from '../../relay/contract/outbox.ts';
import { visibleLine } from '../../relay/contract/plain-text.ts';
import { visibleHandle } from '../../relay/contract/visible-handle.ts';
import type { DeskConnection } from '../mcp/socket-client.ts';
import type { Command, Given, Terminal } from './command.ts';
import { age, columns, truncate } from './layout.ts';
import { idToWriteTo, matchStart, shortIds } from './task-id.ts';
import { findingLine, writeText } from './write-text.ts';

/** `agentrelay outbox list` */
export const outboxList: Command = {
  operands: [],
  summary: 'What could not be sent yet, and why',
  flags: {},
  prepare:
    ({ as }) =>
    async (desk, terminal) => {
      const found = await desk.call('listOutbox', { ...as });
      return { json: found, text: listText(found, terminal) };
    },
};

/** `agentrelay outbox send <id>` */
export const outboxSend: Command = {
  operands: ['id'],
  summary: 'Send what waits for you to look at it, or try again what came back',
  flags: {},
  prepare: (given) => {
    const start = idToWriteTo(given.operands[0] ?? '');
    return async (desk) => {
      const result = await desk.call('releaseOutbox', { ...given.as, id: await resolveId(desk, given, start) });
      return { json: result, text: writeText(result) };
    };
  },
};

/** `agentrelay outbox drop <id>` */
export const outboxDrop: Command = {
  operands: ['id'],
  summary: 'Drop what has not been sent',
  flags: {},
  prepare: (given) => {
    const start = idToWriteTo(given.operands[0] ?? '');
    return async (desk) => {
      const id = await resolveId(desk, given, start);
      await desk.call('discardOutbox', { ...given.as, id });
      return { json: { outbox_id: id }, text: 'Dropped. It was never sent.' };
    };
  },
};

/** The id of something that waits, of which a person may give the beginning. Fails with AMBIGUOUS_ID. */
async function resolveId(desk: Pick<DeskConnection, 'call'>, { as }: Given, start: string): Promise<string> {
  const { items } = await desk.call('listOutbox', { ...as });
  return matchStart(
    items.map(({ id }) => id),
    start,
    'things that wait',
  );
}

const STATE_WORDS: Readonly<Record<OutboxState, string>> = {
  waiting_contact: 'waits for an answer',
  waiting_relay: 'waits for the relay',
  needs_human: 'waits for you',
  returned: 'came back',
};

function listText({ items }: CommandOutput<'listOutbox'>, { columns: width, now }: Terminal): string {
  if (items.length === 0) return 'Nothing waits to be sent.';
  const ids = shortIds(items.map(({ id }) => id));
  const heads = columns(
    items.map((item) => [
      ids.get(item.id) ?? item.id,
      STATE_WORDS[item.state],
      `to ${visibleHandle(item.peer)}`,
      age(item.created_at, now),
      visibleLine(masked(item)),
    ]),
  );
  return [
    ...items.flatMap((item, at) => [truncate(heads[at] ?? '', width), ...detailLines(item)]),
    '',
    'To decide about one: agentrelay outbox send|drop <id>',
  ].join('\n');
}

/** The text without what looks like a secret in it: terminals are looked at by others, and read by programs. */
function masked({ text, findings }: OutboxItem): string {
  const inText = findings.filter(({ where }) => where === 'body' || where === 'reason');
  // from behind, so that places stay where they are
  const places = inText.toSorted((one, other) => other.start - one.start);
  return places.reduce((shown, { start, end }) => `${shown.slice(0, start)}•••${shown.slice(end)}`, text);
}

function detailLines({ reason, findings }: OutboxItem): readonly string[] {
  return [`  ${visibleLine(reason)}`, ...findings.map((finding) => `  Found ${findingLine(finding)}`)];
}
