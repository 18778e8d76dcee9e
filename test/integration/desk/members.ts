import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Desk } from '../../../main/desk/desk.ts';
import type { AuditRow } from '../../../relay/contract/audit.ts';
import type { InboxItem, Kept, Surface, WriteResult } from '../../../relay/contract/desk-api.ts';
import type { OutboxItem } from '../../../relay/contract/outbox.ts';
import type { ContactMode } from '../../../relay/contract/contact.ts';
import { createKey } from '../../../relay/identity/keys.ts';
import { randomBytes } from 'node:crypto';
import { tempDir } from '../../support/temp-dir.ts';
import { listen, openDesk, type Ear, type RunningRelay } from './support.ts';

/** An agent of a relay, with a desk of its own in a data folder of its own. */
export interface Member {
  readonly handle: string;
  readonly apiKey: string;
  readonly home: string;
  readonly trustFile: string;
  /** The desk that is open now, and what it tells. */
  desk: Desk;
  ear: Ear;
  /** Closes the desk, and opens another one in the same folder. */
  reopen(): Promise<void>;
  /** Writes `trust.yaml` as an editor does. */
  rules(text: string): void;
}

export interface MemberOptions {
  readonly contacts?: ContactMode;
  /** What `trust.yaml` says; left out, all may come in. */
  readonly rules?: string;
  /** Its key may do what an admin may. */
  readonly isOwner?: boolean;
}

/** Registers an agent and opens its desk. */
export async function member(running: RunningRelay, name: string, options: MemberOptions = {}): Promise<Member> {
  const { contacts = 'auto', isOwner = false } = options;
  const apiKey = createKey(randomBytes);
  const registration = { handle: name, contacts, apiKey };
  const { handle } = await (isOwner ? running.relay.own(registration) : running.relay.register(registration));
  const home = tempDir();
  const trustFile = join(home, 'trust.yaml');
  if (options.rules !== undefined) writeFileSync(trustFile, options.rules, { mode: 0o600 });
  const open = (): Promise<Desk> => openDesk(running.url, { handle, apiKey, home });
  const desk = await open();
  const self: Member = {
    handle,
    apiKey,
    home,
    trustFile,
    desk,
    ear: listen(desk),
    async reopen() {
      await self.desk.close();
      self.desk = await open();
      self.ear = listen(self.desk);
    },
    rules: (text) => writeFileSync(trustFile, text, { mode: 0o600 }),
  };
  return self;
}

/** The text of a member's `trust.yaml`. */
export const rulesOf = ({ trustFile }: Member): string => readFileSync(trustFile, 'utf8');

/** The row of a handoff at a desk; undefined where there is none. */
export async function rowAt({ desk }: Member, taskId: string): Promise<InboxItem | undefined> {
  const { items } = await desk.call('getSnapshot', {}, 'human');
  return items.find((item) => item.task_id === taskId);
}

/** What waits at a desk. */
export async function outboxOf({ desk }: Member): Promise<readonly OutboxItem[]> {
  return (await desk.call('listOutbox', {}, 'human')).items;
}

/** A write that waits. Fails for one that was sent. */
export function kept(result: WriteResult): Kept {
  if (!('outbox_id' in result)) throw new Error(`it was sent: ${result.task_id}`);
  return result;
}

/** A handoff to somebody. */
export function handOff(from: Member, to: string, body: string, surface: Surface = 'human'): Promise<WriteResult> {
  return from.desk.call('sendHandoff', { to, body }, surface);
}

/** What was written down, oldest first. */
export async function auditOf({ desk }: Member, ...action: AuditRow['action'][]): Promise<readonly AuditRow[]> {
  const { rows } = await desk.call('listAudit', { limit: 500 }, 'human');
  return rows.filter((row) => action.includes(row.action)).toReversed();
}
