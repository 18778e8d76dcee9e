import type { Command } from './command.ts';
import { resolveTaskId } from './task-id.ts';
import { threadText } from './thread-text.ts';

/** `agentrelay show <id>` */
export const show: Command = {
  operands: ['id'],
  summary: 'The thread of a handoff. Looking at it tells the other side nothing',
  flags: {},
  prepare:
    ({ as, operands: [id = ''] }) =>
    async (desk) => {
      const thread = await desk.call('getThread', { ...as, task_id: await resolveTaskId(desk, id) });
      return { json: thread, text: threadText(thread) };
    },
};
