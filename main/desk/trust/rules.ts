import { hash } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { AuditActor } from '../../../relay/contract/audit.ts';
import { RelayError } from '../../../relay/contract/reasons.ts';
import type { Decision, TrustView } from '../../../relay/contract/trust.ts';
import { privateFolder } from '../../files.ts';
import { systemCode } from '../../start-error.ts';
import type { Audit } from '../audit/audit.ts';
import { decide, decideBetween } from './decide.ts';
import { NEW_TRUST, type TrustEdit } from './edit-trust.ts';
import { TrustFileError, type TrustFile } from './trust-file.ts';
import { viewTrust } from './view-trust.ts';

/** The rules of a desk: what `trust.yaml` says now, and changes to it by its owner, which are written down. */
export interface TrustRules {
  /** What the file says now of whom; to be asked again for the next decision. */
  now(): (peer: string) => Decision;
  view(): TrustView;
  /** Resolves once what the file says is whole: at once, unless somebody has just changed it. */
  whole(): Promise<void>;
  /** Somebody is about to be listed: what comes of them is held, whatever the policy. Returns what ends that. */
  expect(peer: string): () => void;
  /** Makes a change. TRUST_UNUSABLE where the file has an error, which is its owner's to mend. */
  edit(edit: TrustEdit, actor: AuditActor): Promise<void>;
  /** TRUST_UNUSABLE where a change could not be made, before anything is done that rests on one. */
  requireUsable(): void;
  /** Begins the file anew. @returns where the former one is kept; undefined where there was none */
  reset(actor: AuditActor): Promise<string | undefined>;
  /** Called when the file has changed, by whomever. Returns the unsubscribe function. */
  onChange(listener: () => void): () => void;
  /** Writes nothing down any more. */
  close(): void;
}

export interface TrustRulesOptions {
  readonly file: TrustFile;
  readonly audit: Audit;
  /** In whose name changes are written down: the first account. */
  readonly account: string;
  /** A folder for what is replaced. */
  readonly backups: string;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

const REF = 'trust.yaml';
const notedSchema = z.object({ digest: z.string() });

/**
 * Whether this desk has never had a `trust.yaml`: only then one is made. One that is gone is not made again, since nobody
 * knows any more who was blocked in it.
 */
export function hasNoRulesYet(audit: Pick<Audit, 'newestAbout'>, account: string): boolean {
  return audit.newestAbout(REF, account, ['trust_changed']) === undefined;
}

export function openTrustRules({ file, audit, account, backups, clock }: TrustRulesOptions): TrustRules {
  const expected = new Set<string>();
  /** Changes of our own that are being made. */
  let own = 0;
  let noted = digestNoted();

  function digestNoted(): string | undefined {
    return notedSchema.safeParse(audit.newestAbout(REF, account, ['trust_changed'])?.detail).data?.digest;
  }

  function note(actor: AuditActor, detail: Readonly<Record<string, string | boolean>>): void {
    const digest = hash('sha256', file.text() ?? '', 'hex').slice(0, 16);
    if (digest === noted) return;
    noted = digest;
    audit.note({ action: 'trust_changed', actor, account, ref: REF, detail: { ...detail, digest } });
  }

  /** Whoever has changed it, with an editor or while no desk ran: it is another file than the one that was written down. */
  function noteOthers(): void {
    if (own === 0) note('desk', { seen: 'in the file', usable: file.now().state.kind === 'good' });
  }

  noteOthers();
  // before everybody else, who may act on it
  const stopNoting = file.onChange(noteOthers);

  async function changing(change: Promise<unknown>, noted: () => void): Promise<void> {
    own += 1;
    try {
      await change;
      noted();
    } catch (error) {
      throw error instanceof TrustFileError ? unusable(error) : error;
    } finally {
      own -= 1;
    }
  }

  return {
    now() {
      const { state, before } = file.now();
      return (peer) => {
        const decision = before === undefined ? decide(state, peer) : decideBetween(before, state, peer);
        return decision.action === 'reject' && decision.layer === 'unknown' && expected.has(peer)
          ? { ...decision, action: 'hold' }
          : decision;
      };
    },
    expect(peer) {
      expected.add(peer);
      return () => void expected.delete(peer);
    },
    whole: () => file.whole(),
    view: () => viewTrust(file.path, file.now().state),
    async edit(edit, actor) {
      await changing(file.edit(edit), () => note(actor, { ...toDetail(edit) }));
    },
    requireUsable() {
      const { state } = file.now();
      if (state.kind === 'bad') {
        throw unusable(
          new TrustFileError(`${file.path} has an error, so nobody can be added to it. Mend it first.`, state.errors),
        );
      }
    },
    async reset(actor) {
      await privateFolder(backups);
      const backup = join(backups, `trust-${new Date(clock()).toISOString().replaceAll(/[:.]/g, '-')}.yaml`);
      // whatever stands there, be it a folder or a link, is put aside as it is
      const kept = await rename(file.path, backup).then(
        () => backup,
        (error: unknown) => {
          if (systemCode(error) === 'ENOENT') return undefined;
          throw error;
        },
      );
      await changing(file.replace(NEW_TRUST), () => note(actor, { kind: 'reset' }));
      return kept;
    },
    onChange: (listener) => file.onChange(listener),
    close: stopNoting,
  };
}

function unusable({ message, findings }: TrustFileError): RelayError {
  return new RelayError('TRUST_UNUSABLE', message, {
    violations: findings.map(({ line, message: description }) => ({ field: `line ${line}`, description })),
  });
}

/** A change as it is written down. */
function toDetail(edit: TrustEdit): Readonly<Record<string, string>> {
  const handle = 'handle' in edit ? { handle: edit.handle } : {};
  const grants = 'grants' in edit ? Object.entries(edit.grants).map(([name, to]) => [name, JSON.stringify(to)]) : [];
  const policy = edit.kind === 'unknown' ? { policy: edit.policy } : {};
  return { kind: edit.kind, ...handle, ...policy, ...Object.fromEntries(grants) };
}
