import { parseHandle } from '../../relay/contract/handle.ts';
import { liveSchema, unknownPolicySchema, type GrantChanges, type TrustChange } from '../../relay/contract/trust.ts';
import { UsageError } from '../start-error.ts';
import type { Action, Command, Given } from './command.ts';
import type { FlagTable, Flags } from './flags.ts';
import { decisionText, trustText } from './trust-text.ts';

/** What may be granted. `default` takes away what was said, so that the defaults count. */
const GRANT_FLAGS: FlagTable = {
  read: { value: 'on|off|default', help: 'Whether their words may have files read without asking' },
  test: { value: 'on|off|default', help: 'Whether they may have tests run without asking' },
  write: {
    value: 'PATH',
    multiple: true,
    help: 'Where files may be changed without asking; or none, or default',
  },
  approve: { value: 'TOOL', multiple: true, help: 'What you approve each time: Edit, Bash; or none, or default' },
  live: { value: 'auto|ask|never|default', help: 'Whether a pairing that they ask for begins by itself' },
};

/** `agentrelay trust set <handle>` */
export const trustSet: Command = {
  operands: ['handle'],
  summary: 'List somebody as a teammate, or change what their words may lead to',
  flags: GRANT_FLAGS,
  prepare: (given) => {
    const grants = readGrants(given.flags);
    return changing(given, (handle) => ({ kind: 'teammate', handle, grants }));
  },
};

/** `agentrelay trust forget <handle>` */
export const trustForget: Command = {
  operands: ['handle'],
  summary: 'Take a teammate off the list: they are unknown then',
  flags: {},
  prepare: (given) => changing(given, (handle) => ({ kind: 'forget', handle })),
};

/** `agentrelay trust defaults` */
export const trustDefaults: Command = {
  operands: [],
  summary: 'Change what the words of teammates may lead to where nothing else is said',
  flags: GRANT_FLAGS,
  prepare: ({ flags }) => {
    const grants = readGrants(flags);
    if (Object.keys(grants).length === 0) {
      throw new UsageError('trust defaults needs a flag that says what to change. To see them: agentrelay trust list.');
    }
    return changed({ kind: 'defaults', grants });
  },
};

/** `agentrelay trust unknown <policy>` */
export const trustUnknown: Command = {
  operands: ['policy'],
  summary: 'What becomes of what the unlisted send: reject, hold or allow_with_default_trust',
  flags: {},
  prepare: ({ operands: [given = ''] }) => {
    const policy = unknownPolicySchema.safeParse(given);
    if (policy.success) return changed({ kind: 'unknown', policy: policy.data });
    throw new UsageError(`trust unknown takes ${unknownPolicySchema.options.join(', ')}, not "${given}".`);
  },
};

/** A change about somebody; what is told is what becomes of what they send from now on. */
function changing({ as: { as }, operands: [given = ''] }: Given, change: (handle: string) => TrustChange): Action {
  const handle = onRelayOf(as, given);
  return async (desk) => {
    const view = await desk.call('changeTrust', change(handle));
    return { json: view, text: decisionText(await desk.call('explainTrust', { handle })) };
  };
}

function changed(change: TrustChange): Action {
  return async (desk) => {
    const view = await desk.call('changeTrust', change);
    return { json: view, text: trustText(view) };
  };
}

/** A handle without a relay is meant on that of the account that acts; without one, on the own relay. */
function onRelayOf(as: string | undefined, handle: string): string {
  const relay = as === undefined ? undefined : parseHandle(as)?.relay;
  return relay === undefined || handle.includes('@') ? handle : `${handle}@${relay}`;
}

function readGrants(flags: Flags): GrantChanges {
  const read = onOff(flags, 'read');
  const test = onOff(flags, 'test');
  const write = readList(flags, 'write');
  const approve = readList(flags, 'approve');
  const live = flags.oneOf('live', [...liveSchema.options, 'default']);
  return {
    ...(read !== undefined && { auto_read: read }),
    ...(test !== undefined && { auto_test: test }),
    ...(write !== undefined && { auto_write_paths: write }),
    ...(approve !== undefined && { require_approval: approve }),
    ...(live !== undefined && { live: live === 'default' ? null : live }),
  };
}

function onOff(flags: Flags, name: string): boolean | null | undefined {
  const given = flags.oneOf(name, ['on', 'off', 'default']);
  return given === undefined ? undefined : given === 'default' ? null : given === 'on';
}

function readList(flags: Flags, name: string): readonly string[] | null | undefined {
  const given = flags.texts(name);
  const word = given.find((one) => one === 'none' || one === 'default');
  if (word === undefined) return given.length === 0 ? undefined : given;
  if (given.length > 1) throw new UsageError(`--${name} ${word} stands alone: leave out the other --${name}.`);
  return word === 'none' ? [] : null;
}
