import { visibleLine } from '../../relay/contract/plain-text.ts';
import type { Command } from './command.ts';
import { decisionText, trustText } from './trust-text.ts';

/** `agentrelay trust list` */
export const trustList: Command = {
  operands: [],
  summary: 'What trust.yaml says of whom, with its lines, and whether it can be used',
  flags: {},
  prepare: () => async (desk) => {
    const view = await desk.call('getTrust', {});
    return { json: view, text: trustText(view) };
  },
};

/** `agentrelay trust explain <handle>` */
export const trustExplain: Command = {
  operands: ['handle'],
  summary: 'What becomes of what somebody sends, and which line says so',
  flags: {},
  prepare:
    ({ as, operands: [handle = ''] }) =>
    async (desk) => {
      const decision = await desk.call('explainTrust', { ...as, handle });
      return { json: decision, text: decisionText(decision) };
    },
};

/** `agentrelay trust reset` */
export const trustReset: Command = {
  operands: [],
  summary: 'Begin trust.yaml anew: nobody is listed or blocked. What was there is kept in backups/',
  flags: {},
  prepare: () => async (desk) => {
    const view = await desk.call('resetTrust', {});
    const kept = view.backup === undefined ? 'There was none before.' : `What was there: ${visibleLine(view.backup)}`;
    return { json: view, text: `${visibleLine(view.path)} is as at the first start. ${kept}` };
  },
};
