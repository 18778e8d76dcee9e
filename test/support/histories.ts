import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import { messageKindSchema, receiptStateSchema, transitionSchema, type Party } from '../../relay/contract/handoff.ts';
import type { Command } from '../../relay/handoffs/command.ts';
import { digest } from '../../relay/handoffs/digest.ts';
import type { Engine } from '../../relay/handoffs/engine.ts';
import type { AgentId, Committed, Handoff, IdempotencyKey, Once } from '../../relay/store/ports.ts';
import { artifact, commandsOf, create, message, receipt, says, step, type RecipientSays } from './threads.ts';

/** Random histories of a relay: what its agents do, legal or not, some of it at the same moment. */

const AGENTS: readonly AgentId[] = [1, 2, 3];

/** One thing that is done by one of a handoff's sides, or on behalf of the relay. */
type Deed = (party: Party) => Command | RecipientSays;

interface CreateCall {
  readonly type: 'create';
  readonly from: AgentId;
  readonly to: AgentId;
  readonly bornLive: boolean;
  readonly text: string;
  readonly key: string | undefined;
}
interface ActCall {
  readonly type: 'act';
  /** Which of the handoffs that there are by then; any number. */
  readonly task: number;
  readonly by: AgentId;
  readonly deeds: readonly Deed[];
  readonly text: string;
  readonly key: string | undefined;
}
export type Call = CreateCall | ActCall;

/** Calls of one turn, which share a COMMIT. */
export type Burst = readonly Call[];

// few words and few keys, so that they meet
const text = fc.constantFrom('a', 'b', 'ö\u{1F600}', '');
const key = fc.option(fc.constantFrom('k1', 'k2', 'k3'), { nil: undefined });
const session = fc.option(fc.constantFrom('s1', 's2'), { nil: undefined });
const agent = fc.constantFrom(...AGENTS);

const deed: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 3,
    arbitrary: text.map(
      (words): Deed =>
        (party) =>
          says(party, words),
    ),
  },
  {
    weight: 5,
    arbitrary: fc.tuple(fc.constantFrom(...transitionSchema.options), session, fc.option(text, { nil: undefined })).map(
      ([transition, sessionId, words]): Deed =>
        (party) =>
          step(transition, {
            actor: party,
            ...(sessionId !== undefined && { sessionId }),
            ...(words !== undefined && { message: message(words) }),
          }),
    ),
  },
  { weight: 1, arbitrary: fc.constant<Deed>(() => step('give_up', { reason: 'no worker came back' })) },
  {
    weight: 2,
    arbitrary: fc
      .record({
        kind: fc.constantFrom(...messageKindSchema.options),
        replies: fc.constantFrom('append', 'complete'),
        text,
      })
      .map(
        (words): Deed =>
          (party) =>
            party === 'recipient' ? words : says(party, words.text),
      ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.boolean(), fc.boolean()).map(([append, lastChunk]): Deed => (party) => ({
      ...artifact({}, { append, lastChunk }),
      actor: party,
    })),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom(...receiptStateSchema.options), fc.nat(12)).map(
      ([state, upTo]): Deed =>
        (party) =>
          receipt(party, state, upTo),
    ),
  },
);

const createCall = fc
  .record({ from: agent, to: agent, bornLive: fc.boolean(), text, key })
  .filter(({ from, to }) => from !== to)
  .map((call): Call => ({ type: 'create', ...call }));
const actCall = fc
  .record({ task: fc.nat(20), by: agent, deeds: fc.array(deed, { minLength: 1, maxLength: 3 }), text, key })
  .map((call): Call => ({ type: 'act', ...call }));

const burst = fc.array(fc.oneof({ weight: 1, arbitrary: createCall }, { weight: 4, arbitrary: actCall }), {
  minLength: 1,
  maxLength: 8,
});

/** Begins with a handoff each way, so that there is something to act on. */
export const history: fc.Arbitrary<readonly Burst[]> = fc
  .array(burst, { minLength: 1, maxLength: 12 })
  .map((bursts) => [[opening(1, 2), opening(2, 1), opening(1, 3)], ...bursts]);

function opening(from: AgentId, to: AgentId): Call {
  return { type: 'create', from, to, bornLive: false, text: 'first', key: undefined };
}

/** What became of a call. */
export interface Answer {
  readonly call: Call;
  readonly once: Once | undefined;
  readonly result: PromiseSettledResult<Committed>;
}

/** Plays a burst in one turn of the event loop. `tasks` are the handoffs that there are, and grows by the new ones. */
export async function play(engine: Engine, tasks: Handoff[], calls: Burst): Promise<readonly Answer[]> {
  const targets = [...tasks];
  const begun = calls.map((call) => (call.type === 'create' ? begin(engine, call) : act(engine, targets, call)));
  const results = await Promise.allSettled(begun.map(({ committed }) => committed));
  return results.map((result, index) => {
    const call = calls[index];
    if (call === undefined) throw new Error('an answer without its call');
    if (call.type === 'create' && result.status === 'fulfilled' && !result.value.replayed) {
      tasks.push(result.value.handoff);
    }
    return { call, once: begun[index]?.once, result };
  });
}

interface Begun {
  readonly committed: Promise<Committed>;
  readonly once: Once | undefined;
}

function begin(engine: Engine, { from, to, bornLive, text: words, key: k }: CreateCall): Begun {
  const parties = { id: uuidv7(), contextId: `${from}-${to}`, sender: from, recipient: to };
  const command = create({ bornLive, message: message(words), summary: words });
  const once = k === undefined ? undefined : onceOf({ caller: from, other: to, kind: 'message', key: k }, words);
  return { committed: engine.create(parties, command, once), once };
}

function act(engine: Engine, tasks: readonly Handoff[], { task, by, deeds, text: words, key: k }: ActCall): Begun {
  const target = tasks[task % tasks.length];
  if (target === undefined) throw new Error('a history without a handoff');
  const other = target.sender === by ? target.recipient : target.sender;
  const kind = task % 2 === 0 ? 'message' : 'update';
  const once = k === undefined ? undefined : onceOf({ caller: by, other, kind, key: k }, words);
  const build = (handoff: Handoff, party: Party): readonly Command[] =>
    deeds.flatMap((one) => commandsOf(handoff, one(party)));
  return { committed: engine.act(target.id, by, build, once), once };
}

function onceOf(idempotencyKey: IdempotencyKey, words: string): Once {
  return { key: idempotencyKey, digest: digest(words) };
}
