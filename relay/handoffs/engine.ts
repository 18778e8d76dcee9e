import type { Party } from '../contract/handoff.ts';
import { RelayError } from '../contract/reasons.ts';
import type { AgentId, Committed, Decision, Handoff, Lease, Once, Scope, State, TaskLog } from '../store/ports.ts';
import { carryOut } from './carry-out.ts';
import { refuseLoop } from './chain.ts';
import type { Command, CreateCommand } from './command.ts';
import { blank, type Parties } from './evolve.ts';
import { afterStep, type Moment } from './lease.ts';
import { refuseBlocked, refuseStranger } from './reach.ts';

/** The engine: commands in, committed events out. It knows no dialect and no HTTP. */

export interface EngineOptions {
  readonly log: TaskLog;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** By which leases are counted (relay/operations/steady-clock.ts). Default: `clock`, which must not be set then. */
  readonly steady?: () => number;
  /** False under the open profile: anybody reaches anybody. Default: true. */
  readonly asksConsent?: boolean;
}

export interface Engine {
  /**
   * Starts a handoff. Under a known key the earlier one is the answer; with other content IDEMPOTENCY_CONFLICT. NotKnown
   * (relay/handoffs/reach.ts) where the recipient has not accepted the sender; LOOP_STOPPED (relay/handoffs/chain.ts).
   */
  create(parties: Parties, command: CreateCommand, once?: Once): Promise<Committed>;
  /**
   * Starts a handoff under the sender's own name for it, or, where there is one already, goes on with it. What began it,
   * said again, changes nothing.
   */
  createOrContinue(parties: Parties, command: CreateCommand, alias: Once): Promise<Committed>;
  /**
   * Does to a handoff what `build` says, all of it or nothing. `build` sees the handoff as it is inside the
   * transaction. TASK_NOT_FOUND for everyone who is not a party; CONTACT_DECLINED for words to one who has blocked the caller.
   */
  act(
    taskId: string,
    caller: AgentId,
    build: (handoff: Handoff, party: Party) => readonly Command[],
    once?: Once,
  ): Promise<Committed>;
  /**
   * Does to the lease of a handoff, and to the handoff with it, what `decide` says (relay/handoffs/lease.ts).
   * TASK_NOT_FOUND for everyone but its recipient and the relay itself.
   */
  actOnLease(
    taskId: string,
    caller: AgentId | 'relay',
    decide: (handoff: Handoff, lease: Lease | undefined, moment: Moment) => Decision,
  ): Promise<Committed>;
}

export function createEngine({ log, clock, steady = clock, asksConsent = true }: EngineOptions): Engine {
  const reaching = (from: AgentId, to?: AgentId): Pick<Scope, 'reaching'> =>
    asksConsent ? { reaching: { from, ...(to !== undefined && { to }) } } : {};
  const begin = (parties: Parties, command: CreateCommand, { standing }: State): Decision => {
    // first: of what goes no further nothing is stored, not even as a request
    refuseLoop(parties.chain);
    refuseStranger(standing);
    return carryOut(blank(parties), [command], clock());
  };
  return {
    create: (parties, command, once) =>
      log.transact(
        { ...(once && { once }), ...reaching(parties.sender, parties.recipient) },
        (state) => replayed(state, once) ?? begin(parties, command, state),
      ),
    createOrContinue: (parties, command, alias) =>
      log.transact({ once: alias, ...reaching(parties.sender, parties.recipient) }, (state) => {
        const { handoff, earlier, lease } = state;
        if (handoff === undefined || earlier === undefined) return begin(parties, command, state);
        // what is said to a question is an answer, also in the words that began it all
        if (isSame(earlier, alias) && handoff.state !== 'input_required')
          return { handoff, events: [], replayed: true };
        const { author, message } = command;
        const words: Command = { type: 'message', actor: 'sender', author, message };
        refuseBlocked(state.standing, [words]);
        const said = carryOut(handoff, [words], clock());
        return afterStep(handoff, lease, said, steady());
      }),
    act: (taskId, caller, build, once) =>
      log.transact({ taskId, ...(once && { once }), ...reaching(caller) }, (state) => {
        const { handoff } = state;
        const party = handoff && partyOf(handoff, caller);
        if (handoff === undefined || party === undefined) throw notFound(taskId);
        const earlier = replayed(state, once);
        if (earlier !== undefined) return earlier;
        const commands = build(handoff, party);
        refuseBlocked(state.standing, commands);
        return afterStep(handoff, state.lease, carryOut(handoff, commands, clock()), steady());
      }),
    actOnLease: (taskId, caller, decide) =>
      log.transact({ taskId }, ({ handoff, lease }) => {
        if (handoff === undefined || (caller !== 'relay' && handoff.recipient !== caller)) throw notFound(taskId);
        return decide(handoff, lease, { at: clock(), now: steady() });
      }),
  };
}

/** Which side of a handoff an agent is on; undefined for everyone else. */
export function partyOf(handoff: Handoff, agent: AgentId): Party | undefined {
  if (handoff.sender === agent) return 'sender';
  return handoff.recipient === agent ? 'recipient' : undefined;
}

/** The one answer for what is not there and for what is not yours. */
export function notFound(taskId: string): RelayError {
  return new RelayError('TASK_NOT_FOUND', 'There is no such task for this key. Check the id, and whose key it is.', {
    metadata: { taskId: taskId.slice(0, 256) },
  });
}

function isSame(earlier: Uint8Array, { digest }: Once): boolean {
  return Buffer.from(earlier).equals(digest);
}

/** A write that was done before: the handoff as it is now, nothing new. */
function replayed({ earlier, handoff }: State, once: Once | undefined): Decision | undefined {
  if (earlier === undefined || once === undefined) return undefined;
  if (handoff === undefined) throw new Error('an idempotency key without its task');
  if (!isSame(earlier, once)) {
    throw new RelayError(
      'IDEMPOTENCY_CONFLICT',
      'This id was used for another message. Send the same message again, or take a new id.',
      { metadata: { taskId: handoff.id } },
    );
  }
  return { handoff, events: [], replayed: true };
}
