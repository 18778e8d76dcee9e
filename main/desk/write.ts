import type { Surface, WriteResult } from '../../relay/contract/desk-api.ts';
import type { HandoffView } from '../../relay/contract/handoff.ts';
import type { JsonObject } from '../../relay/contract/json.ts';
import { RelayError } from '../../relay/contract/reasons.ts';
import type { EgressFinding } from '../../relay/contract/outbox.ts';
import type { LiveAccount } from './accounts/account.ts';
import type { Audit } from './audit/audit.ts';
import { collectStrings, type Outgoing } from './egress/collect-strings.ts';
import { scanEgress } from './egress/scan-egress.ts';
import { otherParty } from './grouping.ts';
import { asked, type Outbox } from './outbox/outbox.ts';
import { writing } from './reach.ts';
import type { Writing } from './requests.ts';
import type { OutboxRow } from './store/outbox-store.ts';
import { receiptOf, toWriteResult } from './write-result.ts';

/** A write, before it is a request. */
export interface Draft {
  readonly kind: OutboxRow['kind'];
  /** What was asked for: every string of it leaves this machine. */
  readonly input: Outgoing;
  /** The other side, and the thread; of a new handoff there is none yet. */
  readonly about: (account: LiveAccount) => Promise<{ readonly peer: string; readonly thread?: string }>;
  readonly request: (account: LiveAccount, writing: Writing) => Promise<JsonObject>;
}

export interface WriterOptions {
  readonly outbox: Outbox;
  readonly audit: Pick<Audit, 'note'>;
  /** The person's home folders. */
  readonly homeDirs: readonly string[];
  /** A new idempotency key. */
  readonly newKey: () => string;
}

/** Sends what an account writes, or keeps it, and says which. Fails as the relay does for what will never be sent. */
export type Write = (account: LiveAccount, draft: Draft, author: Surface) => Promise<WriteResult>;

export function createWriter({ outbox, audit, homeDirs, newKey }: WriterOptions): Write {
  /** What a person writes is theirs to send; what a program writes is looked through. */
  async function secretsIn({ input }: Draft, author: Surface): Promise<readonly EgressFinding[]> {
    return author === 'human' ? [] : scanEgress(collectStrings(input), { homeDirs });
  }

  return async (account, draft, author) => {
    const id = draft.input.idempotency_key ?? newKey();
    // the same call again, of what is kept since the first
    const before = outbox.kept({ account: account.handle, id });
    if (before !== undefined) return before;
    const request = await draft.request(account, { key: id, author });

    async function keep(why: Pick<OutboxRow, 'state' | 'reason' | 'findings'>): Promise<WriteResult> {
      const { peer, thread = id } = await draft.about(account);
      return outbox.keep({ ...why, account: account.handle, id, peer, thread, kind: draft.kind, request, author });
    }

    const findings = await secretsIn(draft, author);
    if (findings.length > 0) {
      const { peer, thread: ref = id } = await draft.about(account);
      const rules = [...new Set(findings.map(({ rule }) => rule))];
      audit.note({ action: 'egress_held', actor: author, account: account.handle, peer, ref, detail: { id, rules } });
      return keep({ state: 'needs_human', reason: secretReason(findings), findings });
    }
    try {
      const { client } = account;
      const send = (): Promise<HandoffView> =>
        draft.kind === 'update' ? client.updateTask(request) : client.sendMessage(request);
      const view = await writing(account, send, id);
      account.picture.learn(view);
      return await resultOf(account, view);
    } catch (error) {
      if (!(error instanceof RelayError)) throw error;
      if (error.reason === 'CONTACT_REQUESTED') {
        const { peer } = await draft.about(account);
        return keep({ state: 'waiting_contact', reason: asked(peer), findings: [] });
      }
      if (error.reason !== 'LOOP_STOPPED') throw error;
      const { peer } = await draft.about(account);
      audit.note({ action: 'loop_stopped', actor: 'relay', account: account.handle, peer, ref: id });
      return keep({ state: 'needs_human', reason: error.message, findings: [] });
    }
  };
}

/** How a write turned out that the relay has. */
export async function resultOf(account: LiveAccount, view: HandoffView): Promise<WriteResult> {
  const peer = view[otherParty(view.role)];
  // what nobody has fetched waits for the peer, if that is away: of one that is new the relay says it on the stream
  if (receiptOf(view) === 'queued') await account.meet(peer);
  return toWriteResult(view, account.peers.isOffline(peer));
}

function secretReason(findings: readonly EgressFinding[]): string {
  const [first] = findings;
  const more = findings.length === 1 ? '' : ` and ${findings.length - 1} more`;
  const what = first === undefined ? '' : ` (${first.rule} in ${first.where}${more})`;
  return `It holds what looks like a secret${what}. A person has to look at it, and sends it or drops it.`;
}
