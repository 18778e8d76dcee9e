import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { follow, MOST_HOPS, MOST_VISITS, refuseLoop, type Link } from '../../../relay/handoffs/chain.ts';
import type { AgentId, Chain } from '../../../relay/store/ports.ts';

const [A, B, C, D] = [1, 2, 3, 4];
const SECRET = 7_777;

function link(sender: AgentId, recipient: AgentId, named: readonly Link[] = []): Link {
  const chain = follow(sender, recipient, named);
  return { sender, recipient, ...(chain && { chain }) };
}

/** Handoffs along a way, each of which refers to the one before it. */
function walk(...[first = A, ...rest]: readonly AgentId[]): Link {
  let [from, last]: [AgentId, Link | undefined] = [first, undefined];
  for (const to of rest) {
    last = link(from, to, last && [last]);
    from = to;
  }
  if (last === undefined) throw new Error('no way');
  return last;
}

function isStopped(chain: Chain | undefined): boolean {
  try {
    refuseLoop(chain);
    return false;
  } catch (error) {
    expect(error).toMatchObject({ reason: 'LOOP_STOPPED' });
    return true;
  }
}

/** How many handoffs get through along a way. */
function through(...way: readonly AgentId[]): number {
  let made = 0;
  while (made < way.length - 1 && !isStopped(walk(...way.slice(0, made + 2)).chain)) made += 1;
  return made;
}

describe('the chain of a handoff', () => {
  it('begins with the first that is referred to', () => {
    expect(follow(A, B, [])).toBeUndefined();
    expect(follow(B, C, [{ sender: A, recipient: B }])).toEqual({ hops: 2, path: [A, B, C] });
  });

  it('goes on with each agent that hands on what came to it', () => {
    expect(walk(A, B, C, A, B).chain).toEqual({ hops: 4, path: [A, B, C, A, B] });
  });

  it('gets a hop, and nothing to pass through, of what a sender has done after its own', () => {
    const before = walk(A, B, C);
    expect(link(B, C, [before]).chain).toEqual({ hops: 3, path: [A, B, C] });
    expect(link(B, D, [before]).chain).toEqual({ hops: 3, path: [A, B, D] });
  });

  it("is not begun by what is between others, nor by what isn't there", () => {
    expect(follow(D, A, [walk(A, B, C)])).toBeUndefined();
    expect(follow(B, A, [walk(C, D, A), { sender: A, recipient: B }])).toEqual({ hops: 2, path: [A, B, A] });
  });

  it('is the longest of those that are referred to, in whatever order', () => {
    const [long, short] = [walk(A, B, C, D), walk(C, D)];
    for (const named of [
      [long, short],
      [short, long],
    ]) {
      expect(follow(D, A, named)).toEqual({ hops: 4, path: [A, B, C, D, A] });
    }
  });
});

describe('work that goes from agent to agent', () => {
  it('may come back once: who handed it on is asked about it', () => {
    expect(through(A, B, C, A)).toBe(3);
    expect(through(A, B, A, B)).toBe(3);
  });

  it('is stopped where it would come to an agent for the third time', () => {
    expect(through(A, B, A, B, A, B)).toBe(3);
    expect(through(A, B, C, A, B, C, A, B, C)).toBe(5);
    expect(through(A, B, C, D, A, B, C, D, A)).toBe(7);
  });

  it('is stopped after as many handoffs as there may be, even where each comes to somebody else', () => {
    expect(through(...Array.from({ length: 40 }, (_none, index) => index))).toBe(MOST_HOPS);
  });

  it('is stopped after as many that one agent sends one after another', () => {
    let last = walk(A, B);
    for (let hops = 2; hops <= MOST_HOPS; hops += 1) {
      last = link(A, hops % 2 === 0 ? B : C, [last]);
      expect([last.chain?.hops, isStopped(last.chain)]).toEqual([hops, false]);
    }
    expect(isStopped(follow(A, B, [last]))).toBe(true);
  });

  it('says what to do, and not through whom it came', () => {
    const error = (chain: Chain): unknown => {
      try {
        refuseLoop(chain);
        return undefined;
      } catch (thrown) {
        return thrown;
      }
    };
    const [long, often] = [
      error({ hops: 17, path: [SECRET, A, B] }),
      error({ hops: 5, path: [SECRET, A, SECRET, A, SECRET] }),
    ] as readonly Error[];
    expect(long?.message).toMatch(/Nothing was stored\. A person has to look at it, and send it on\./);
    expect(often?.message).toBe(long?.message);
    expect(JSON.stringify([long, often])).not.toContain(String(SECRET));
  });
});

const agent = fc.integer({ min: 0, max: 5 });
/** Whom the next one hands on to, and which other handoffs it names beside the last, before and behind it. */
const move = fc.record({
  to: agent,
  bySender: fc.boolean(),
  before: fc.array(fc.nat(), { maxLength: 3 }),
  behind: fc.array(fc.nat(), { maxLength: 3 }),
});

describe('agents that refer to what they go on from', () => {
  it('are stopped after a bounded number of handoffs, whoever they are and whatever else they name', () => {
    fc.assert(
      fc.property(fc.array(move, { minLength: 60, maxLength: 60 }), (moves) => {
        let last: Link = { sender: 0, recipient: 1 };
        const made = [last];
        for (const { to, bySender, before, behind } of moves) {
          const from = bySender ? last.sender : last.recipient;
          if (from === to) continue;
          const others = (picks: readonly number[]): Link[] =>
            picks.map((pick) => made[pick % made.length]).filter((one) => one !== undefined);
          const next = link(from, to, [...others(before), last, ...others(behind)]);
          if (isStopped(next.chain)) return;
          made.push(next);
          last = next;
        }
        expect(made.length).toBeLessThanOrEqual(MOST_HOPS);
      }),
    );
  });

  it('of a small circle are stopped on the second lap', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 8 }), (size) => {
        const circle = Array.from({ length: 40 }, (_none, index) => index % size);
        expect(through(...circle)).toBe(MOST_VISITS * size - 1);
      }),
    );
  });

  it('make no chain shorter by what they name besides, and none of what is between others', () => {
    const made = fc.array(fc.tuple(agent, agent, fc.nat()), { minLength: 1, maxLength: 12 }).map((steps) =>
      steps.reduce<Link[]>((all, [from, to, pick]) => {
        const parent = all[pick % Math.max(all.length, 1)];
        return from === to ? all : [...all, link(from, to, parent && [parent])];
      }, []),
    );
    fc.assert(
      fc.property(made, made, agent, agent, (named, others, from, to) => {
        const alone = follow(from, to, named)?.hops ?? 1;
        expect(follow(from, to, [...others, ...named])?.hops ?? 1).toBeGreaterThanOrEqual(alone);
        const foreign = others.filter(({ sender, recipient }) => sender !== from && recipient !== from);
        expect(follow(from, to, [...named, ...foreign])).toEqual(follow(from, to, named));
      }),
    );
  });

  it('of which each chain ends with the two that it is between', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(agent, agent), { maxLength: 12 }), (steps) => {
        const all: Link[] = [];
        for (const [sender, recipient] of steps) {
          const next = link(sender, recipient, all);
          if (next.chain !== undefined) {
            expect(next.chain.path.slice(-2)).toEqual([sender, recipient]);
            expect(next.chain.path.length).toBeLessThanOrEqual(next.chain.hops + 1);
          }
          all.push(next);
        }
      }),
    );
  });
});
