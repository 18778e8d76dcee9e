import type { AuditActor, AuditEntry } from '../../relay/contract/audit.ts';
import type { Kept, Surface, WriteResult } from '../../relay/contract/desk-api.ts';
import { isPerson, type HandoffView } from '../../relay/contract/handoff.ts';
import type { JsonObject } from '../../relay/contract/json.ts';
import { RelayError } from '../../relay/contract/reasons.ts';
import type { EgressFinding } from '../../relay/contract/outbox.ts';
import type { LiveAccount } from './accounts/account.ts';
import type { Audit } from './audit/audit.ts';
import { collectStrings, type Outgoing } from './egress/collect-strings.ts';
import { scanEgress } from './egress/scan-egress.ts';
import { otherParty } from './grouping.ts';
import type { Logger } from './options.ts';
import { asked } from './outbox/after-failure.ts';
import type { Outbox } from './outbox/outbox.ts';
import { sendRequest } from './outbox/postman.ts';
import { writing } from './reach.ts';
import type { Writing } from './requests.ts';
import type { OutboxRow } from './store/outbox-store.ts';
import type { About } from './turns/budget.ts';
import type { Turns } from './turns/turns.ts';
import { receiptOf, toWriteResult } from './write-result.ts';

/** A write, before it is a request. */
export interface Draft {
  readonly kind: OutboxRow['kind'];
  /** What was asked for: every string of it leaves this machine. */
  readonly input: Outgoing;
  /** The other side, and the thread; of a new handoff there is none yet. */
  readonly about: (account: LiveAccount) => Promise<Omit<About, 'account'>>;
  readonly request: (account: LiveAccount, writing: Writing) => Promise<JsonObject>;
}

export interface WriterOptions {
  readonly outbox: Outbox;
  readonly turns: Pick<Turns, 'spend' | 'humanActed'>;
  readonly audit: Pick<Audit, 'note'>;
  /** The person's home folders. */
  readonly homeDirs: readonly string[];
  readonly logger: Logger;
  /** A new idempotency key. */
  readonly newKey: () => string;
}

/** Sends what an account writes, or keeps it, and says which. Fails as the relay does for what will never be sent. */
export type Write = (account: LiveAccount, draft: Draft, author: Surface) => Promise<WriteResult>;

export function createWriter({ outbox, turns, audit, homeDirs, logger, newKey }: WriterOptions): Write {
  /** What a person writes is theirs to send; what a program writes is looked through. */
  async function secretsIn({ input }: Draft, author: Surface): Promise<readonly EgressFinding[]> {
    return author === 'human' ? [] : scanEgress(collectStrings(input), { homeDirs });
  }

  /** A person has looked: agents may go on. */
  function personWrote(about: About): void {
    try {
      turns.humanActed(about);
    } catch (error) {
      logger.warn({ err: error }, 'that a person wrote could not be stored: agents may have to wait for one');
    }
  }

  return async (account, draft, author) => {
    const id = draft.input.idempotency_key ?? newKey();
    const request = await draft.request(account, { key: id, author });
    // the same call again, of what is kept since the first
    const before = outbox.kept({ account: account.handle, id }, request);
    if (before !== undefined) return before;

    async function keep(
      why: Pick<OutboxRow, 'state' | 'reason' | 'findings'>,
      act?: Pick<AuditEntry, 'action' | 'actor' | 'detail'>,
    ): Promise<Kept> {
      const { peer, thread = id } = await draft.about(account);
      const about = { account: account.handle, peer };
      if (act !== undefined) audit.note({ ...act, ...about, ref: thread, detail: { id, ...act.detail } });
      return outbox.keep(account, { ...why, peer, id, thread, kind: draft.kind, request, author });
    }

    function stop(by: AuditActor, reason: string): Promise<Kept> {
      return keep({ state: 'needs_human', reason, findings: [] }, { action: 'loop_stopped', actor: by });
    }

    const findings = await secretsIn(draft, author);
    if (findings.length > 0) {
      const detail = { rules: [...new Set(findings.map(({ rule }) => rule))] };
      const why = { state: 'needs_human', reason: secretReason(findings), findings } as const;
      return keep(why, { action: 'egress_held', actor: author, detail });
    }
    if (!isPerson(author)) {
      const about = { account: account.handle, ...(await draft.about(account)) };
      const turn = turns.spend({ ...about, surface: author, key: `${draft.kind} ${id}` });
      if (!turn.ok) return stop('desk', turn.reason);
      // what belongs together stays in its order, unless a person breaks it
      if (about.thread !== undefined && outbox.holdsUp(account.handle, about.thread)) {
        return keep({ state: 'waiting_relay', reason: BEHIND, findings: [] });
      }
    }
    try {
      const view = await writing(account, () => sendRequest(account, draft.kind, request), id);
      if (isPerson(author)) personWrote(aboutOf(account, draft.kind, view));
      return await resultOf(account, view);
    } catch (error) {
      if (!(error instanceof RelayError)) throw error;
      switch (error.reason) {
        case 'CONTACT_REQUESTED': {
          const { peer } = await draft.about(account);
          return keep({ state: 'waiting_contact', reason: asked(peer), findings: [] });
        }
        case 'LOOP_STOPPED':
          return stop('relay', error.message);
        default:
          throw error;
      }
    }
  };
}

function aboutOf({ handle: account }: LiveAccount, kind: Draft['kind'], view: HandoffView): About {
  const peer = view[otherParty(view.role)];
  return kind === 'handoff' ? { account, peer } : { account, peer, thread: view.task_id };
}

const BEHIND = 'Something that was written before it on this thread is still to be sent. It is sent after that.';

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
