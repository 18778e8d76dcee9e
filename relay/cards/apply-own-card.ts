import type { AgentSkill } from '../contract/a2a.ts';
import { invalidParams } from '../contract/reasons.ts';
import { standardDescription } from '../contract/registration.ts';
import type { Agent, AgentChange, Profile } from '../store/ports.ts';
import type { OwnCard } from './own-card.ts';
import { namedSkill } from './skills.ts';

/** The agent with what it said of itself. What was left out stays as it is, null is as if nothing had ever been said. INVALID_PARAMS for a role other than the one that an invite gave. */
export function applyOwnCard(agent: Agent, card: OwnCard): AgentChange {
  const { profile = {} } = agent;
  const displayName = said(card.name, agent.displayName) ?? agent.name;
  const role = said(card.role, agent.role);
  if (agent.hasGivenRole === true && role !== agent.role) {
    throw invalidParams('role', `was given with the invite, and is ${agent.role}. Leave it out.`);
  }
  const changed = profileOf(card, profile);
  return {
    displayName,
    description: said(card.description, agent.description) ?? standardDescription(displayName),
    ...(role === undefined ? {} : { role }),
    skills: card.skills === undefined ? agent.skills : [...new Set((card.skills ?? []).map(nameOf))],
    repos: [...new Set(said(card.repos, agent.repos))],
    listed: said(card.listed, agent.listed) ?? true,
    contacts: said(card.contacts, agent.contacts) ?? 'ask',
    ...(Object.keys(changed).length === 0 ? {} : { profile: changed }),
  };
}

/** Members that are empty are left out. */
function profileOf(card: OwnCard, before: Profile): Profile {
  const skills = card.skills === undefined ? before.skills : inFull(card.skills ?? []);
  const iconUrl = said(card.iconUrl, before.iconUrl);
  const documentationUrl = said(card.documentationUrl, before.documentationUrl);
  const inputModes = said(card.defaultInputModes, before.inputModes) ?? [];
  const outputModes = said(card.defaultOutputModes, before.outputModes) ?? [];
  const extensions = said(card.extensions, before.extensions) ?? [];
  return {
    ...(skills === undefined ? {} : { skills }),
    ...(iconUrl === undefined ? {} : { iconUrl }),
    ...(documentationUrl === undefined ? {} : { documentationUrl }),
    ...(inputModes.length === 0 ? {} : { inputModes }),
    ...(outputModes.length === 0 ? {} : { outputModes }),
    ...(extensions.length === 0 ? {} : { extensions }),
  };
}

/** What is now said: as before where it was left out, undefined where it was taken away. */
function said<T>(now: T | null | undefined, before: T | undefined): T | undefined {
  return now === undefined ? before : (now ?? undefined);
}

/** Names alone need no second form: what a card says of them then follows the agent's role. */
function inFull(skills: readonly (string | AgentSkill)[]): readonly AgentSkill[] | undefined {
  if (skills.every((skill) => typeof skill === 'string')) return undefined;
  return skills.map((skill) => (typeof skill === 'string' ? namedSkill(skill) : skill));
}

function nameOf(skill: string | AgentSkill): string {
  return typeof skill === 'string' ? skill : skill.name;
}
