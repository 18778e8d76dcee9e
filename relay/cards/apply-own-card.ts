import type { AgentSkill } from '../contract/a2a.ts';
import type { Agent, AgentChange, Profile } from '../store/ports.ts';
import type { OwnCard } from './own-card.ts';
import { namedSkill } from './skills.ts';

/** The agent with what it said of itself. What was left out stays as it is. */
export function applyOwnCard(agent: Agent, card: OwnCard): AgentChange {
  const { displayName, description, role, repos, listed, profile = {} } = agent;
  const kept = card.role === undefined ? role : card.role;
  const changed = profileOf(card, profile);
  return {
    displayName: card.name ?? displayName,
    description: card.description ?? description,
    ...(kept === undefined || kept === null ? {} : { role: kept }),
    skills: card.skills === undefined ? agent.skills : [...new Set(card.skills.map(nameOf))],
    repos: card.repos === undefined ? repos : [...new Set(card.repos)],
    listed: card.listed ?? listed,
    ...(Object.keys(changed).length === 0 ? {} : { profile: changed }),
  };
}

/** Members that are empty are left out. */
function profileOf(card: OwnCard, before: Profile): Profile {
  const skills = card.skills === undefined ? before.skills : inFull(card.skills);
  const iconUrl = card.iconUrl === undefined ? before.iconUrl : card.iconUrl;
  const documentationUrl = card.documentationUrl === undefined ? before.documentationUrl : card.documentationUrl;
  const { defaultInputModes = before.inputModes ?? [], defaultOutputModes = before.outputModes ?? [] } = card;
  const { extensions = before.extensions ?? [] } = card;
  return {
    ...(skills === undefined ? {} : { skills }),
    ...(iconUrl === undefined || iconUrl === null ? {} : { iconUrl }),
    ...(documentationUrl === undefined || documentationUrl === null ? {} : { documentationUrl }),
    ...(defaultInputModes.length === 0 ? {} : { inputModes: defaultInputModes }),
    ...(defaultOutputModes.length === 0 ? {} : { outputModes: defaultOutputModes }),
    ...(extensions.length === 0 ? {} : { extensions }),
  };
}

/** Names alone need no second form: what a card says of them then follows the agent's role. */
function inFull(skills: readonly (string | AgentSkill)[]): readonly AgentSkill[] | undefined {
  if (skills.every((skill) => typeof skill === 'string')) return undefined;
  return skills.map((skill) => (typeof skill === 'string' ? namedSkill(skill) : skill));
}

function nameOf(skill: string | AgentSkill): string {
  return typeof skill === 'string' ? skill : skill.name;
}
