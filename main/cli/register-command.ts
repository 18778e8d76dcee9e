import type { CommandInput } from '../../relay/contract/desk-api.ts';
import { visibleLine } from '../../relay/contract/plain-text.ts';
import type { RegisteredView } from '../../relay/contract/registration.ts';
import { visibleHandle } from '../../relay/contract/visible-handle.ts';
import { readAdminToken } from '../serve/admin-token-file.ts';
import { UsageError } from '../start-error.ts';
import type { Command, Outcome } from './command.ts';
import type { Flags } from './flags.ts';
import { reserveKeyFile } from './key-file.ts';
import { columns } from './layout.ts';
import { readRelayUrl, registerRemotely } from './remote-registration.ts';

/** `agentrelay register <handle>` */
export const register: Command = {
  operands: ['handle'],
  summary: 'Make an agent on the own relay, or with --relay on another; its key is shown once',
  flags: {
    name: { value: 'NAME', help: 'For people to read' },
    description: { value: 'TEXT', help: 'What it does' },
    role: { value: 'ROLE', help: 'What it is there for: backend, review' },
    skill: { value: 'SKILL', multiple: true, help: 'What it can do' },
    repo: { value: 'REPO', multiple: true, help: 'A repository that it works on' },
    kind: { value: 'desk|a2a', help: 'A person with their agents (default), or any other A2A agent' },
    contacts: { value: 'ask|auto|closed', help: 'What becomes of those that it does not know (default: ask)' },
    unlisted: { help: 'Leave it out of the directory' },
    relay: { value: 'URL', help: 'A relay elsewhere; the app need not run' },
    'admin-token-file': { value: 'FILE', help: "With --relay: the file with that relay's admin token" },
    restore: { help: 'With the admin token: take back one that was removed, with its threads' },
    insecure: { help: 'With --relay: keys may travel readable, without TLS' },
    'key-out': { value: 'FILE', help: 'Keep the key in a new file (0600) and do not show it' },
  },
  prepare: async ({ operands: [handle = ''], flags }) => {
    const agent = readAgent(handle, flags);
    const keyOut = flags.text('key-out');
    const remote = readRemote(flags);
    if (remote === undefined) return (desk) => keeping(keyOut, () => desk.call('registerAgent', agent));
    const { relay, tokenFile, restore } = remote;
    const token = tokenFile === undefined ? undefined : await readAdminToken(tokenFile);
    return {
      kind: 'alone',
      act: async ({ out }) =>
        out(await keeping(keyOut, () => registerRemotely(relay, token, { ...agent, ...(restore && { restore }) }))),
    };
  },
};

function readAgent(handle: string, flags: Flags): CommandInput<'registerAgent'> {
  const name = flags.text('name');
  const description = flags.text('description');
  const role = flags.text('role');
  const skills = flags.texts('skill');
  const repos = flags.texts('repo');
  const kind = flags.oneOf('kind', ['desk', 'a2a']);
  const contacts = flags.oneOf('contacts', ['ask', 'auto', 'closed']);
  return {
    handle,
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(role !== undefined && { role }),
    ...(skills.length > 0 && { skills: [...skills] }),
    ...(repos.length > 0 && { repos: [...repos] }),
    ...(kind !== undefined && { kind }),
    ...(contacts !== undefined && { contacts }),
    ...(flags.isOn('unlisted') && { listed: false }),
  };
}

/** Where another relay is, and how it is asked; undefined for the own one. */
function readRemote(flags: Flags) {
  const relay = flags.text('relay');
  const tokenFile = flags.text('admin-token-file');
  const restore = flags.isOn('restore');
  if (restore && tokenFile === undefined) throw new UsageError('--restore needs --admin-token-file.');
  if (relay !== undefined) return { relay: readRelayUrl(relay, flags.isOn('insecure')), tokenFile, restore };
  if (tokenFile !== undefined) throw new UsageError('--admin-token-file needs --relay.');
  return undefined;
}

/** Registers, and keeps the key where that was asked for. */
async function keeping(path: string | undefined, registered: () => Promise<RegisteredView>): Promise<Outcome> {
  const file = path === undefined ? undefined : await reserveKeyFile(path);
  let view: RegisteredView;
  try {
    view = await registered();
  } catch (error) {
    await file?.discard();
    throw error;
  }
  const isKept = await file?.keep(view.api_key).then(
    () => true,
    () => false,
  );
  return file !== undefined && isKept === true ? keptIn(file.path, view) : shown(view, file?.path);
}

function keptIn(path: string, { api_key: _kept, ...others }: RegisteredView): Outcome {
  return {
    json: { ...others, key_file: path },
    text: [`Registered ${visibleHandle(others.handle)}.`, '', ...places(others, `in ${path}`)].join('\n'),
  };
}

/** @param lost the file in which the key was to be kept, and is not */
function shown(view: RegisteredView, lost: string | undefined): Outcome {
  const why = lost === undefined ? '' : ` It could not be written to ${lost}.`;
  const text = [
    `Registered ${visibleHandle(view.handle)}. Keep its key now: it is not shown again.${why}`,
    '',
    ...places(view, view.api_key),
  ];
  return { json: view, text: text.join('\n') };
}

function places(
  { endpoint, card_url: card }: Pick<RegisteredView, 'endpoint' | 'card_url'>,
  key: string,
): readonly string[] {
  return columns([
    ['Endpoint', visibleLine(endpoint)],
    ['Card', visibleLine(card)],
    ['Key', visibleLine(key)],
  ]);
}
