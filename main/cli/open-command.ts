import type { Command } from './command.ts';

/** `agentrelay open` */
export const open: Command = {
  operands: [],
  summary: 'Show the window of the app that runs, or print an address that opens it once',
  flags: {},
  prepare: () => async (desk) => {
    const window = await desk.call('openWindow', {});
    return { json: window, text: `Window  ${window.url}` };
  },
};
