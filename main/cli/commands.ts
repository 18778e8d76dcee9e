import { invite, join, rotateKey } from './account-commands.ts';
import { audit } from './audit-command.ts';
import type { Command } from './command.ts';
import { block, contact, contacts, unblock } from './contact-commands.ts';
import { handoff } from './handoff-command.ts';
import { inbox } from './inbox-command.ts';
import { open } from './open-command.ts';
import { outboxDrop, outboxList, outboxSend } from './outbox-commands.ts';
import { deadLetters, redeliver } from './redeliver-command.ts';
import { register } from './register-command.ts';
import { serve } from './serve-command.ts';
import { show } from './show-command.ts';
import { status } from './status-command.ts';
import { accept, ask, cancel, complete, decline, fail, reply } from './thread-commands.ts';
import { trustCheck } from './trust-check-command.ts';
import { trustExplain, trustList, trustReset } from './trust-commands.ts';
import { trustDefaults, trustForget, trustSet, trustUnknown } from './trust-edit-commands.ts';
import { worker } from './worker-command.ts';

/** Every command, in the order of the help. Those of two words are a group, and its first word alone is its `list`. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  status,
  open,
  register,
  invite,
  join,
  'rotate-key': rotateKey,
  serve,
  handoff,
  inbox,
  show,
  accept,
  decline,
  ask,
  reply,
  complete,
  fail,
  cancel,
  'outbox list': outboxList,
  'outbox send': outboxSend,
  'outbox drop': outboxDrop,
  contacts,
  contact,
  block,
  unblock,
  'trust list': trustList,
  'trust set': trustSet,
  'trust forget': trustForget,
  'trust defaults': trustDefaults,
  'trust unknown': trustUnknown,
  'trust explain': trustExplain,
  'trust check': trustCheck,
  'trust reset': trustReset,
  redeliver,
  'dead-letters': deadLetters,
  audit,
  worker,
};

/** The commands of a group, by their second words; of what is no group, none. */
export function commandsOf(group: string): readonly string[] {
  const start = `${group} `;
  return Object.keys(COMMANDS).flatMap((name) => (name.startsWith(start) ? [name.slice(start.length)] : []));
}
