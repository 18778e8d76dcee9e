import { v4 as uuidv4 } from 'uuid';
import { standardDescription } from '../contract/registration.ts';
import type { NewAgent } from '../store/ports.ts';
import type { Random } from './keys.ts';
import type { Registration } from './registry.ts';

/** The agent as it is stored, with everything that was left out filled in. @param name the part before `@` */
export function newAgent(name: string, registration: Omit<Registration, 'handle'>, random: Random): NewAgent {
  const kind = registration.kind ?? 'desk';
  const displayName = registration.displayName ?? name;
  return {
    uid: uuidv4({ random: random(16) }),
    name,
    kind,
    // An agent that knows nothing of our extension answers a task to finish it (docs/extension.md).
    replies: kind === 'a2a' ? 'complete' : 'append',
    displayName,
    description: registration.description ?? standardDescription(displayName),
    ...(registration.role === undefined ? {} : { role: registration.role }),
    skills: registration.skills ?? [],
    repos: registration.repos ?? [],
    listed: registration.listed ?? true,
    contacts: registration.contacts ?? 'ask',
  };
}
