import { z } from 'zod';
import type { InboxItem } from '../../../relay/contract/desk-api.ts';
import { rulingOn } from '../trust/ruling.ts';
import type { Audit } from './audit.ts';

/** Writes down what the rules have decided about handoffs: once, and again when they decide otherwise. */
export interface DecisionNotes {
  decided(item: InboxItem): void;
}

const notedSchema = z.object({ decision: z.enum(['deliver', 'hold', 'reject']) });

export function createDecisionNotes(audit: Pick<Audit, 'note' | 'newestAbout'>): DecisionNotes {
  const noted = new Map<string, string>();
  return {
    decided(item) {
      const { account, peer, task_id: ref, trust, handoff } = item;
      if (handoff.role !== 'recipient' || handoff.state !== 'pending') return;
      const decision = rulingOn(handoff, trust);
      const key = `${account} ${ref}`;
      const stored = (): unknown => audit.newestAbout(ref, account, ['trust_decision'])?.detail;
      const before = noted.get(key) ?? notedSchema.safeParse(stored()).data?.decision;
      noted.set(key, decision);
      if (before === decision) return;
      const { layer, rule } = trust;
      const detail = { decision, layer, rule: rule.path, line: rule.line };
      audit.note({ action: 'trust_decision', actor: 'desk', account, peer, ref, detail });
    },
  };
}
