import type { CommandInput, WriteResult } from '../../relay/contract/desk-api.ts';
import { UsageError } from '../start-error.ts';
import { ARTIFACT_FLAGS, readArtifacts } from './artifact-flags.ts';
import type { Command, Given } from './command.ts';
import { MESSAGE_FLAG, requiredMessage } from './message-flag.ts';
import { idToWriteTo, resolveTaskId } from './task-id.ts';
import { writeText } from './write-text.ts';

type Proposal = Pick<CommandInput<'sendHandoff'>, 'intent' | 'proposed_action'>;

/** `agentrelay handoff <to>` */
export const handoff: Command = {
  operands: ['to'],
  summary: 'Hand work to another agent',
  flags: {
    ...MESSAGE_FLAG,
    intent: { value: 'INTENT', help: 'inform, ask_question or propose_action' },
    action: { value: 'TEXT', help: 'With propose_action: what is to be done' },
    rationale: { value: 'TEXT', help: 'With propose_action: why' },
    target: { value: 'PATH', multiple: true, help: 'With propose_action: a file that it changes' },
    'suggested-diff': { value: 'FILE', help: 'With propose_action: how it could look; - is stdin' },
    follows: { value: 'ID', help: 'The handoff that it goes on from' },
    ...ARTIFACT_FLAGS,
  },
  prepare: async (given) => {
    const { as, operands, flags } = given;
    const [to = ''] = operands;
    const body = requiredMessage(flags);
    const before = flags.text('follows');
    const earlier = before === undefined ? undefined : idToWriteTo(before);
    const proposal = await readProposal(given);
    const artifacts = await readArtifacts(given);
    return async (desk) => {
      const follows = earlier === undefined ? {} : { follows: await resolveTaskId(desk, earlier) };
      const said = { ...as, to, body, ...follows, ...proposal, ...artifacts };
      const sent: WriteResult = await desk.call('sendHandoff', said);
      return { json: sent, text: writeText(sent, { peer: to }) };
    };
  },
};

async function readProposal({ flags, readText }: Given): Promise<Proposal> {
  const intent = flags.oneOf('intent', ['inform', 'ask_question', 'propose_action']);
  const description = flags.text('action');
  const rationale = flags.text('rationale');
  const targets = flags.texts('target');
  const diffFile = flags.text('suggested-diff');
  const isProposed = [description, rationale, diffFile].some((given) => given !== undefined) || targets.length > 0;
  if (intent !== 'propose_action') {
    if (isProposed) throw new UsageError('--action and what belongs to it go with --intent propose_action.');
    return intent === undefined ? {} : { intent };
  }
  if (!description || !rationale) {
    throw new UsageError('--intent propose_action needs --action (what is to be done) and --rationale (why).');
  }
  const diff = diffFile === undefined ? {} : { suggested_diff: await readText(diffFile) };
  return { intent, proposed_action: { description, target_files: [...targets], rationale, ...diff } };
}
