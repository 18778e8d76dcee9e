import type { Status } from '../../relay/contract/desk-api.ts';
import { visibleHandle } from '../../relay/contract/visible-handle.ts';
import type { Command } from './command.ts';
import { columns } from './layout.ts';

/** `agentrelay status` */
export const status: Command = {
  operands: [],
  summary: 'Where the app is, and how its accounts stand',
  flags: {},
  prepare: () => async (desk) => {
    const now = await desk.call('getStatus', {});
    return { json: now, text: statusText(now) };
  },
};

function statusText({ version, relay, window, mcp, accounts }: Status): string {
  return [
    `AgentRelay ${version}`,
    '',
    ...columns([
      ['Relay', `${relay.url} (${relay.name})`],
      ['Window', window.url],
      ['Socket', mcp.socket],
    ]),
    '',
    'Accounts',
    ...columns(
      accounts.map(({ handle, relay: at, state, unread }) => [
        `  ${visibleHandle(handle)}`,
        at,
        state.replaceAll('_', ' '),
        `${unread} unread`,
      ]),
    ),
  ].join('\n');
}
