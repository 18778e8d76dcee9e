import { COMMANDS } from '../../../relay/contract/desk-api.ts';
import { checked } from '../checked.ts';
import type { Commands } from '../commands.ts';
import type { TrustRules } from './rules.ts';

/** The commands about `trust.yaml`. @param fullHandle a handle as a person gave it, with what its relay is called here */
export function createTrustCommands({
  rules,
  fullHandle,
}: {
  readonly rules: TrustRules;
  readonly fullHandle: (handle: string, as?: string) => string;
}): Pick<Commands, 'getTrust' | 'changeTrust' | 'resetTrust' | 'explainTrust'> {
  return {
    getTrust: checked(COMMANDS.getTrust, async () => {
      await rules.whole();
      return rules.view();
    }),

    changeTrust: checked(COMMANDS.changeTrust, async (change, surface) => {
      const edit = 'handle' in change ? { ...change, handle: fullHandle(change.handle) } : change;
      await rules.edit(edit, surface);
      return rules.view();
    }),

    resetTrust: checked(COMMANDS.resetTrust, async (_input, surface) => {
      const backup = await rules.reset(surface);
      return { ...rules.view(), ...(backup !== undefined && { backup }) };
    }),

    explainTrust: checked(COMMANDS.explainTrust, async ({ as, handle }) => {
      const peer = fullHandle(handle, as);
      // asked for by a person, who means what the file will say
      await rules.whole();
      return { handle: peer, path: rules.view().path, ...rules.now()(peer) };
    }),
  };
}
