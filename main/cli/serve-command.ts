import { once } from 'node:events';
import { endOnSignals } from '../end-on-signals.ts';
import { readServeSettings, SERVE_FLAGS } from '../serve/serve-settings.ts';
import type { TeamRelay } from '../serve/team-relay.ts';
import type { Command, Outcome } from './command.ts';

/** `agentrelay serve` */
export const serve: Command = {
  operands: [],
  summary: 'Run a relay for a team: no desk and no window, until it is stopped',
  flags: SERVE_FLAGS,
  prepare: ({ flags, machine }) => {
    const settings = readServeSettings(flags, machine);
    return {
      kind: 'alone',
      async act({ out, error }) {
        const signal = endOnSignals();
        for (const warning of settings.warnings) error(`${warning}\n`);
        // no other command needs a relay in its process
        const { startTeamRelay } = await import('../serve/team-relay.ts');
        const relay = await startTeamRelay(settings, signal).catch((failure: unknown) => {
          // stopped before it was up
          if (signal.aborted) return undefined;
          throw failure;
        });
        if (relay === undefined) return;
        out(started(relay));
        if (!signal.aborted) await once(signal, 'abort');
        await relay.close();
      },
    };
  },
};

function started({ id, name, url, admin }: TeamRelay): Outcome {
  return {
    json: { relay: { url, name, id }, admin_token_file: admin.file },
    text: [
      `Relay   ${url}`,
      // at the first start: nobody looks for it at the others
      ...(admin.isNew ? [`Admin   ${admin.file}`] : []),
      'Ready',
    ].join('\n'),
  };
}
