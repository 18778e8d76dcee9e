import type { Command } from './command.ts';
import { columns } from './layout.ts';

/** `agentrelay register <handle>` */
export const register: Command = {
  operands: ['handle'],
  summary: 'Make an agent on the own relay; its key is shown once',
  flags: {
    name: { value: 'NAME', help: 'For people to read' },
    description: { value: 'TEXT', help: 'What it does' },
    role: { value: 'ROLE', help: 'What it is there for: backend, review' },
    skill: { value: 'SKILL', multiple: true, help: 'What it can do' },
    repo: { value: 'REPO', multiple: true, help: 'A repository that it works on' },
    kind: { value: 'desk|a2a', help: 'A person with their agents (default), or any other A2A agent' },
    unlisted: { help: 'Leave it out of the directory' },
  },
  prepare: ({ operands: [handle = ''], flags }) => {
    const name = flags.text('name');
    const description = flags.text('description');
    const role = flags.text('role');
    const skills = flags.texts('skill');
    const repos = flags.texts('repo');
    const kind = flags.oneOf('kind', ['desk', 'a2a']);
    return async (desk) => {
      const registered = await desk.call('registerAgent', {
        handle,
        ...(name !== undefined && { name }),
        ...(description !== undefined && { description }),
        ...(role !== undefined && { role }),
        ...(skills.length > 0 && { skills: [...skills] }),
        ...(repos.length > 0 && { repos: [...repos] }),
        ...(kind !== undefined && { kind }),
        ...(flags.isOn('unlisted') && { listed: false }),
      });
      const text = [
        `Registered ${registered.handle}. Keep its key now: it is not shown again.`,
        '',
        ...columns([
          ['Endpoint', registered.endpoint],
          ['Card', registered.card_url],
          ['Key', registered.api_key],
        ]),
      ].join('\n');
      return { json: registered, text };
    };
  },
};
