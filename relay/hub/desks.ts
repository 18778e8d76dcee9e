import { RelayError } from '../contract/reasons.ts';
import type { AgentId } from '../store/ports.ts';

/** One desk an account: which desk reads an agent's inbox now. */
export interface Desks {
  /**
   * Takes the place of this agent's desk. The same desk replaces its own dead stream at once; another one is refused
   * with ACCOUNT_IN_USE, unless it takes over. `end` is called when the place is taken, and told whether by another desk.
   * Returns the function that gives it back.
   */
  attach(agent: AgentId, deskId: string, takeOver: boolean, end: (byOther: boolean) => void): () => void;
}

export function createDesks(): Desks {
  const attached = new Map<AgentId, { readonly deskId: string; readonly end: (byOther: boolean) => void }>();
  return {
    attach(agent, deskId, takeOver, end) {
      const before = attached.get(agent);
      if (before !== undefined && before.deskId !== deskId && !takeOver) {
        throw new RelayError(
          'ACCOUNT_IN_USE',
          'Another desk reads this inbox. Close it there, or connect with take_over=1 to move it here.',
        );
      }
      const place = { deskId, end };
      attached.set(agent, place);
      before?.end(before.deskId !== deskId);
      return () => {
        if (attached.get(agent) === place) attached.delete(agent);
      };
    },
  };
}
