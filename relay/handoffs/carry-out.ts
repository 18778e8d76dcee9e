import type { ThreadEvent } from '../contract/handoff.ts';
import type { Decision, Handoff } from '../store/ports.ts';
import type { Command } from './command.ts';
import { evolve } from './evolve.ts';
import { decide } from './machine.ts';

/**
 * Commands carried out one after the other, each on the handoff that the one before it has made. Pure. Throws what the
 * machine throws (relay/handoffs/machine.ts); then none of them counts.
 * @param now milliseconds since the epoch
 */
export function carryOut(before: Handoff, commands: readonly Command[], now: number): Decision {
  let handoff = before;
  const events: ThreadEvent[] = [];
  // a clock that steps back must not make a thread look out of order
  const at = Math.max(now, before.updatedAt);
  for (const command of commands) {
    for (const draft of decide(handoff, command)) {
      const event: ThreadEvent = { ...draft, version: handoff.version + 1, at };
      handoff = evolve(handoff, event);
      events.push(event);
    }
  }
  return { handoff, events };
}
