import type { Agent, AgentId, DirectoryQuery } from '../ports.ts';
import { searchNeedles, searchTerms } from '../search-terms.ts';
import { toAgent, type AgentRow } from './agent-row.ts';
import type { Database } from './database.ts';

/** The directory's index of agents, in SQLite. */
export interface AgentSearch {
  /** Notes what an agent is found by, in the transaction in which it is written. */
  index(id: AgentId, agent: Parameters<typeof searchTerms>[0] & Pick<Agent, 'name' | 'listed'>): void;
  /** Agents in the order of their names: one walk, which ends with the page. */
  find(query: DirectoryQuery): readonly Agent[];
}

/** Also makes what is missing, for agents that a version without the index has written. */
export function createAgentSearch(db: Database): AgentSearch {
  const insert = db.prepare(
    `INSERT INTO agent_search (name, agent, listed, text, skills, repos) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET listed = excluded.listed, text = excluded.text, skills = excluded.skills, repos = excluded.repos`,
  );
  const select = db.prepare<[Record<string, unknown>], AgentRow>(
    `WITH word AS MATERIALIZED (SELECT value FROM json_each(@words)), path AS MATERIALIZED (SELECT value FROM json_each(@paths))
     SELECT agent.* FROM agent_search AS found JOIN agent ON agent.id = found.agent
     WHERE found.name > @after AND (found.listed = 1 OR found.agent = @viewer
         OR EXISTS (SELECT 1 FROM contact WHERE contact.agent = found.agent AND about = @viewer AND word = 'accepted')) AND agent.removed_at IS NULL
       AND (@skill IS NULL OR instr(found.skills, @skill) > 0)
       AND (@paths IS NULL OR EXISTS (SELECT 1 FROM path WHERE instr(found.repos, value) > 0))
       AND NOT EXISTS (SELECT 1 FROM word WHERE instr(found.text, value) = 0)
     ORDER BY found.name LIMIT @limit`,
  );

  const index: AgentSearch['index'] = (id, agent) => {
    const { text, skills, repos } = searchTerms(agent);
    insert.run(agent.name, id, agent.listed ? 1 : 0, text, skills, repos);
  };
  const missing = db.prepare<[], AgentRow>('SELECT * FROM agent WHERE id NOT IN (SELECT agent FROM agent_search)');
  db.transaction(() => {
    for (const row of missing.all()) index(row.id, toAgent(row));
  }).immediate();

  return {
    index,
    find(query) {
      const { words, skill, paths } = searchNeedles(query);
      const rows = select.all({
        viewer: query.viewer,
        after: query.after ?? '',
        limit: query.limit,
        skill: skill ?? null,
        paths: paths === undefined ? null : JSON.stringify(paths),
        words: JSON.stringify(words),
      });
      return rows.map(toAgent);
    },
  };
}
