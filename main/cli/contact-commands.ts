import type { ContactView } from '../../relay/contract/contact.ts';
import { visibleLine } from '../../relay/contract/plain-text.ts';
import { visibleHandle } from '../../relay/contract/visible-handle.ts';
import { UsageError } from '../start-error.ts';
import type { Command } from './command.ts';
import { columns } from './layout.ts';

/** `agentrelay contacts` */
export const contacts: Command = {
  operands: [],
  summary: 'Who may reach you, who asks to, and who is blocked',
  flags: {},
  prepare:
    ({ as }) =>
    async (desk) => {
      const { contacts: all } = await desk.call('listContacts', { ...as });
      const requests = all.filter(({ incoming, blocked }) => incoming === 'requested' && !blocked);
      const others = all.filter((one) => !requests.includes(one));
      const known = all.filter(({ incoming }) => incoming === 'accepted').map(({ handle }) => handle);
      const text = [
        ...section('Requests', requests, known),
        ...section('Contacts', others, known),
        ...(requests.length === 0 ? [] : ['', 'To answer one: agentrelay contact accept|decline <handle>']),
      ].join('\n');
      return { json: { contacts: others, requests }, text: all.length === 0 ? 'Nobody yet.' : text };
    },
};

/** `agentrelay contact accept|decline|remove <handle>` */
export const contact: Command = {
  operands: ['decision', 'handle'],
  summary: 'accept, decline or remove: who may reach you',
  flags: {},
  prepare: ({ as, operands: [given = '', handle = ''] }) => {
    const decision = DECISIONS.find((one) => one === given);
    if (decision === undefined) {
      throw new UsageError(`contact takes ${DECISIONS.join(', ')}, not "${visibleLine(given)}".`);
    }
    return async (desk) => {
      const now = await desk.call('decideContact', { ...as, handle, decision });
      return { json: now, text: line(now) };
    };
  },
};
const DECISIONS = ['accept', 'decline', 'remove'] as const;

/** `agentrelay block <handle>` */
export const block: Command = blocking('Shut somebody out; they are told nothing', true);

/** `agentrelay unblock <handle>` */
export const unblock: Command = blocking('Let somebody be as before the block', false);

function blocking(summary: string, blocked: boolean): Command {
  return {
    operands: ['handle'],
    summary,
    flags: {},
    prepare:
      ({ as, operands: [handle = ''] }) =>
      async (desk) => {
        const now = await desk.call('setBlocked', { ...as, handle, blocked });
        return { json: now, text: line(now) };
      },
  };
}

function section(title: string, views: readonly ContactView[], known: readonly string[]): readonly string[] {
  if (views.length === 0) return [];
  const rows = views.map((view) => [
    `  ${visibleHandle(view.handle, known)}`,
    stateOf(view),
    visibleLine(view.note ?? ''),
  ]);
  return [title, ...columns(rows)];
}

function line(view: ContactView): string {
  return `${visibleHandle(view.handle)}: ${stateOf(view)}.`;
}

/** What there is between the two, in words. */
function stateOf({ incoming, outgoing, blocked }: ContactView): string {
  if (blocked) return 'blocked';
  if (incoming === 'accepted') return outgoing === 'accepted' ? 'contact' : 'may reach you';
  if (incoming === 'requested') return 'asks to reach you';
  if (incoming === 'declined') return 'declined';
  if (outgoing === 'requested') return 'has not answered yet';
  if (outgoing === 'declined') return 'takes nothing from you';
  return outgoing === 'accepted' ? 'you may reach them' : 'not a contact';
}
