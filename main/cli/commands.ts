import { audit } from './audit-command.ts';
import type { Command } from './command.ts';
import { block, contact, contacts, unblock } from './contact-commands.ts';
import { handoff } from './handoff-command.ts';
import { inbox } from './inbox-command.ts';
import { open } from './open-command.ts';
import { deadLetters, redeliver } from './redeliver-command.ts';
import { register } from './register-command.ts';
import { serve } from './serve-command.ts';
import { show } from './show-command.ts';
import { status } from './status-command.ts';
import { accept, ask, cancel, complete, decline, fail, reply } from './thread-commands.ts';
import { worker } from './worker-command.ts';

/** Every command, in the order of the help. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  status,
  open,
  register,
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
  contacts,
  contact,
  block,
  unblock,
  redeliver,
  'dead-letters': deadLetters,
  audit,
  worker,
};
