import { describe, expect, it } from 'vitest';
import { AGENT_TURNS, judge, waitingReason } from '../../../../main/desk/turns/budget.ts';
import type { Surface } from '../../../../relay/contract/desk-api.ts';

const AGENTS: readonly Surface[] = ['claude-code', 'codex'];
const PEOPLE: readonly Surface[] = ['human', 'cli'];

function keys(count: number): ReadonlySet<string> {
  return new Set(Array.from({ length: count }, (_none, index) => `k${index}`));
}

describe('a write', () => {
  it.each(AGENTS)('of %s counts, up to the last that is left', (surface) => {
    expect(judge(surface, keys(0), 'new')).toBe('counts');
    expect(judge(surface, keys(AGENT_TURNS - 1), 'new')).toBe('counts');
    expect(judge(surface, keys(AGENT_TURNS), 'new')).toBe('waits');
    expect(judge(surface, keys(AGENT_TURNS + 1), 'new')).toBe('waits');
  });

  it.each(AGENTS)('that %s repeats counts once, and goes through where nothing new does', (surface) => {
    expect(judge(surface, keys(1), 'k0')).toBe('repeat');
    expect(judge(surface, keys(AGENT_TURNS), 'k0')).toBe('repeat');
  });

  it.each(PEOPLE)('of %s is free, however much agents have written', (surface) => {
    for (const spent of [0, AGENT_TURNS, AGENT_TURNS + 1]) expect(judge(surface, keys(spent), 'k0')).toBe('free');
  });
});

describe('why it waits', () => {
  const about = { account: 'frank@acme', peer: 'alice@acme' };

  it('is said of a thread', () => {
    expect(waitingReason({ ...about, thread: 't1' })).toBe(
      'Your agent has written 20 times to alice@acme without a person. Look at it and send it on, or discard it.',
    );
  });

  it('is said of new handoffs', () => {
    expect(waitingReason(about)).toBe(
      'Your agent has handed work to alice@acme 20 times without a person. Look at it and send it on, or discard it.',
    );
  });
});
