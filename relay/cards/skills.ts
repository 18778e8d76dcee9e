import type { AgentSkill } from '../contract/a2a.ts';
import { visibleLine, visibleText } from '../contract/plain-text.ts';
import type { Agent } from '../store/ports.ts';

/**
 * The skills of a card, of which there is always one: what the agent said of them in full, else one for each that it
 * names, else the one that every agent of a relay has.
 * @param name the agent's, for people
 */
export function skillsOf(
  { role, skills, profile }: Pick<Agent, 'role' | 'skills' | 'profile'>,
  name: string,
): readonly AgentSkill[] {
  if (profile?.skills !== undefined) return profile.skills.map(visibleSkill);
  const roleTag = visibleLine(role ?? '');
  const tags = roleTag === '' ? [] : [roleTag];
  const named = new Set(skills.map(visibleLine).filter((skill) => skill !== ''));
  if (named.size > 0) return [...named].map((skill) => namedSkill(skill, tags));
  return [
    {
      id: 'handoff',
      name: 'Take a handoff',
      description: `Takes work, questions and proposed changes for ${name}.`,
      tags: ['handoff', ...tags],
    },
  ];
}

/** A skill of which only the name is known. */
export function namedSkill(skill: string, tags: readonly string[] = []): AgentSkill {
  return {
    id: skill,
    name: skill,
    description: `Takes handoffs about ${skill}.`,
    tags: [skill, ...tags.filter((tag) => tag !== skill)],
  };
}

function visibleSkill(skill: AgentSkill): AgentSkill {
  return {
    ...skill,
    id: visibleLine(skill.id),
    name: visibleLine(skill.name),
    description: visibleText(skill.description),
    tags: skill.tags.map(visibleLine),
    ...(skill.examples === undefined ? {} : { examples: skill.examples.map(visibleText) }),
  };
}
