import { describe, expect, test } from 'vitest';
import { AgentCache } from '../../../relay/identity/agent-cache.ts';
import { agentsById } from '../../../relay/identity/agents-by-id.ts';
import { agentChanger } from '../../../relay/identity/change-agent.ts';
import type { Agent } from '../../../relay/store/ports.ts';
import { newAgent } from '../../support/stores.ts';

const alice = (updatedAt: number, id = 1): Agent => ({ ...newAgent('alice'), id, createdAt: 1, updatedAt });

describe('an agent that is remembered', () => {
  test('is replaced by its newer state, and never by an older one', () => {
    const cache = new AgentCache<string>();
    const [older, newer] = [alice(1), alice(2)];
    cache.set('alice', newer);
    cache.set('alice', older);
    expect(cache.get('alice')).toBe(newer);
    const newest = alice(3);
    cache.set('alice', newest);
    expect(cache.get('alice')).toBe(newest);
  });

  test('gives its place to another agent, whenever that one was changed', () => {
    const cache = new AgentCache<string>();
    cache.set('alice', alice(9));
    const other = alice(1, 2);
    cache.set('alice', other);
    expect(cache.get('alice')).toBe(other);
  });
});

describe('a change of an agent', () => {
  test('is not undone by a read that began before it', async () => {
    const [older, newer] = [alice(1), alice(2)];
    const read = Promise.withResolvers<Agent>();
    const agents = agentsById({ agentById: () => read.promise });
    const change = agentChanger({ updateAgent: () => Promise.resolve(newer) }, [agents]);
    const reading = agents.agentById(1);
    expect(await change(1, (agent) => agent)).toBe(newer);
    read.resolve(older);
    await reading;
    expect(await agents.agentById(1)).toBe(newer);
  });

  test('of one that was removed is refused as its key is, and nobody is told', async () => {
    const told: Agent[] = [];
    const change = agentChanger({ updateAgent: () => Promise.resolve(undefined) }, [
      { refresh: (agent) => void told.push(agent) },
    ]);
    await expect(change(1, (agent) => agent)).rejects.toMatchObject({ reason: 'UNAUTHENTICATED' });
    expect(told).toEqual([]);
  });
});
