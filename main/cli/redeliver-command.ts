import { visibleLine } from '../../relay/contract/plain-text.ts';
import type { Command } from './command.ts';
import { columns, dateTime } from './layout.ts';
import { idToWriteTo, resolveTaskId, shortIds } from './task-id.ts';

/** `agentrelay dead-letters` */
export const deadLetters: Command = {
  operands: [],
  summary: 'What webhooks did not take, and is no longer tried',
  flags: {},
  prepare:
    ({ as }) =>
    async (desk) => {
      const letters = await desk.call('listDeadLetters', { ...as });
      const ids = shortIds(letters.items.map((item) => item.task_id));
      const rows = letters.items.map((item) => [
        ids.get(item.task_id) ?? item.task_id,
        `version ${item.version}`,
        dateTime(item.died_at),
        visibleLine(item.error),
        visibleLine(item.url),
      ]);
      const text = [...columns(rows), '', 'To try them again: agentrelay redeliver <id>'].join('\n');
      return { json: letters, text: rows.length === 0 ? 'Nothing: webhooks have taken everything.' : text };
    },
};

/** `agentrelay redeliver <id>` */
export const redeliver: Command = {
  operands: ['id'],
  summary: 'Deliver again what webhooks missed, or hand over again what failed',
  flags: {},
  prepare: ({ as, operands: [given = ''] }) => {
    const id = idToWriteTo(given);
    return async (desk) => {
      const done = await desk.call('redeliver', { ...as, task_id: await resolveTaskId(desk, id) });
      const webhooks = done.webhooks === 1 ? 'one webhook' : `${done.webhooks} webhooks`;
      const text =
        done.webhooks === 0
          ? `Handed over again, as ${done.task_id}.`
          : `Pushed again to ${webhooks}, from what it missed first.`;
      return { json: done, text };
    };
  },
};
