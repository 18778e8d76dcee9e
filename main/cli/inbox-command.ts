import type { CommandOutput, InboxItem } from '../../relay/contract/desk-api.ts';
import { handoffStateSchema } from '../../relay/contract/handoff.ts';
import { visibleLine } from '../../relay/contract/plain-text.ts';
import { visibleHandle } from '../../relay/contract/visible-handle.ts';
import type { Command, Terminal } from './command.ts';
import { age, columns, truncate } from './layout.ts';
import { shortIds } from './task-id.ts';
import { STATE_WORDS } from './words.ts';

/** `agentrelay inbox` */
export const inbox: Command = {
  operands: [],
  summary: 'The handoffs of an account, newest first',
  flags: {
    status: { value: 'STATE', multiple: true, help: `Only ${handoffStateSchema.options.join(', ')}` },
    role: { value: 'SIDE', help: 'Only what was received (recipient), or what was sent (sender)' },
    limit: { value: 'N', help: 'At most so many, up to 100' },
    cursor: { value: 'CURSOR', help: 'Where the last page ended' },
  },
  prepare: ({ as, flags }) => {
    const status = flags.someOf('status', handoffStateSchema.options);
    const role = flags.oneOf('role', ['recipient', 'sender']);
    const limit = flags.count('limit', 1, 100);
    const cursor = flags.text('cursor');
    return async (desk, terminal) => {
      const page = await desk.call('listHandoffs', {
        ...as,
        ...(status.length > 0 && { status: [...status] }),
        ...(role !== undefined && { role }),
        ...(limit !== undefined && { limit }),
        ...(cursor !== undefined && { cursor }),
      });
      return { json: page, text: pageText(page, terminal) };
    };
  },
};

function pageText({ items, next_cursor: next, waiting }: CommandOutput<'listHandoffs'>, terminal: Terminal): string {
  const waits = waiting === 0 ? 'Nothing waits for you.' : `${waiting} ${waiting === 1 ? 'waits' : 'wait'} for you.`;
  if (items.length === 0) return waits;
  const ids = shortIds(items.map((item) => item.task_id));
  const rows = columns(items.map((item) => row(item, ids.get(item.task_id) ?? item.task_id, terminal.now)));
  return [
    waits,
    '',
    ...rows.map((line) => truncate(line, terminal.columns)),
    ...(next === '' ? [] : ['', `More: agentrelay inbox --cursor ${next}`]),
  ].join('\n');
}

function row({ unread, peer, group, handoff }: InboxItem, id: string, now: number): readonly string[] {
  return [
    unread ? '*' : ' ',
    id,
    group === 'held' ? 'held' : STATE_WORDS[handoff.state],
    `${handoff.role === 'recipient' ? 'from' : 'to'} ${visibleHandle(peer)}`,
    age(handoff.updated_at, now),
    visibleLine(handoff.summary),
  ];
}
