import { handleTaken } from '../handle-taken.ts';
import type { Agent, AgentChange, AgentId, NewAgent, NewKey } from '../ports.ts';
import { createAgentSearch } from './agent-search.ts';
import { readAgent, type AgentRow } from './agent-row.ts';
import type { Database } from './database.ts';

/** Writes agents, each with its row in the directory's search. The caller has begun a transaction. */
export interface AgentWriter {
  /** Fails with HANDLE_TAKEN. */
  insert(agent: NewAgent, key: NewKey, now: number): Agent;
  /** undefined when it is not there or was removed. */
  update(id: AgentId, change: (agent: Agent) => AgentChange, now: number): Agent | undefined;
}

export function createAgentWriter(db: Database): AgentWriter {
  const selectByName = db.prepare<[string], AgentRow>('SELECT * FROM agent WHERE name = ?');
  const selectById = db.prepare<[AgentId], AgentRow>('SELECT * FROM agent WHERE id = ?');
  const insertAgent = db.prepare(
    `INSERT INTO agent (uid, name, kind, replies, display_name, description, role, skills, repos, listed, contacts, profile, role_given, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const updateAgent = db.prepare(
    `UPDATE agent SET display_name = ?, description = ?, role = ?, skills = ?, repos = ?, listed = ?, contacts = ?, profile = ?, updated_at = ?
     WHERE id = ?`,
  );
  const insertKey = db.prepare('INSERT INTO api_key (agent, hash, scopes, created_at) VALUES (?, ?, ?, ?)');
  const search = createAgentSearch(db);

  return {
    insert(agent, { hash, scopes }, now) {
      const holder = selectByName.get(agent.name);
      if (holder !== undefined) throw handleTaken(agent.name, holder.removed_at !== null);
      const { lastInsertRowid } = insertAgent.run(
        agent.uid,
        agent.name,
        agent.kind,
        agent.replies,
        ...changeable(agent),
        agent.hasGivenRole === true ? 1 : 0,
        now,
        now,
      );
      const id = Number(lastInsertRowid);
      insertKey.run(id, hash, JSON.stringify(scopes), now);
      search.index(id, agent);
      return { ...agent, id, createdAt: now, updatedAt: now };
    },
    update(id, change, now) {
      const agent = readAgent(selectById.get(id));
      if (agent === undefined || agent.removedAt !== undefined) return undefined;
      const { uid, name, kind, replies, hasGivenRole, createdAt } = agent;
      const changed = change(agent);
      const updatedAt = Math.max(now, agent.updatedAt + 1);
      updateAgent.run(...changeable(changed), updatedAt, id);
      const given = hasGivenRole === undefined ? {} : { hasGivenRole };
      const after = { id, uid, name, kind, replies, ...given, ...changed, createdAt, updatedAt };
      search.index(id, after);
      return after;
    },
  };
}

/** The columns of what an agent may change, in the order of both statements. */
function changeable(agent: AgentChange) {
  return [
    agent.displayName,
    agent.description,
    agent.role ?? null,
    JSON.stringify(agent.skills),
    JSON.stringify(agent.repos),
    agent.listed ? 1 : 0,
    agent.contacts,
    agent.profile === undefined ? null : JSON.stringify(agent.profile),
  ];
}
