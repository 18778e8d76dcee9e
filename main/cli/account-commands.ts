import { parseInviteLink } from '../../relay/contract/invite.ts';
import { visibleLine } from '../../relay/contract/plain-text.ts';
import { isLoopbackHost } from '../../relay/contract/url.ts';
import { visibleHandle } from '../../relay/contract/visible-handle.ts';
import { UsageError } from '../start-error.ts';
import type { Command } from './command.ts';
import { dateTime } from './layout.ts';

/** `agentrelay invite <handle>` */
export const invite: Command = {
  operands: ['handle'],
  summary: 'A link with which somebody joins your relay under this handle, once',
  flags: {
    role: { value: 'ROLE', help: 'What they are there for: backend, review' },
    expires: { value: 'TIME', help: 'How long it can be used: 1m to 30d; default 24h' },
  },
  prepare: ({ as, operands: [handle = ''], flags }) => {
    const role = flags.text('role');
    const expiresInS = flags.seconds('expires', 60, 2_592_000);
    return async (desk) => {
      const made = await desk.call('invite', {
        ...as,
        handle,
        ...(role !== undefined && { role }),
        ...(expiresInS !== undefined && { expires_in_s: expiresInS }),
      });
      const { handle: peer, link, expires_at: expiresAt } = made;
      const text = [
        `Whoever has this link first can join as ${visibleHandle(peer)}, until ${dateTime(Date.parse(expiresAt))}.`,
        'It is not shown again. Send it to them alone:',
        '',
        visibleLine(link),
        '',
        'They run "agentrelay join -" and paste it.',
        ...(isOfThisMachine(link) ? ['Its relay is reached from this machine alone.'] : []),
      ].join('\n');
      return { json: made, text };
    };
  },
};

/** `agentrelay join <link>` */
export const join: Command = {
  operands: ['link'],
  summary: 'Join the relay of an invite; - reads the link from stdin: no shell history keeps it',
  flags: { alias: { value: 'NAME', help: 'What the relay is to be called here; as it calls itself when left out' } },
  prepare: async ({ operands: [given = ''], flags, readText }) => {
    const link = given === '-' ? (await readText('-')).trim() : given;
    if (link === '') throw new UsageError('join needs a link, and stdin is empty.');
    const alias = flags.text('alias');
    return async (desk) => {
      const joined = await desk.call('join', { link, ...(alias !== undefined && { alias }) });
      const { handle, relay, inviter } = joined;
      const text = [
        `You are ${visibleHandle(handle)} now, on the relay at ${visibleLine(relay)}.`,
        ...(inviter === undefined ? [] : [`${visibleHandle(inviter)}, who invited you, is a teammate.`]),
      ].join('\n');
      return { json: joined, text };
    };
  },
};

/** `agentrelay rotate-key` */
export const rotateKey: Command = {
  operands: [],
  summary: 'Give an account a new key, which the app uses from then on; with --json it is shown',
  flags: { overlap: { value: 'TIME', help: 'How long the old key goes on: 0 to 24h; default 10m' } },
  prepare: ({ as, flags }) => {
    const overlapS = flags.seconds('overlap', 0, 86_400);
    return async (desk) => {
      const rotated = await desk.call('rotateKey', {
        ...as,
        ...(overlapS !== undefined && { overlap_s: overlapS }),
      });
      const { handle, old_key_ends_at: endsAt } = rotated;
      const isOver = overlapS === 0;
      const text = [
        `${visibleHandle(handle)} has a new key, and the app uses it.`,
        isOver ? 'The old one is refused from now on.' : `The old one ends at ${dateTime(Date.parse(endsAt))}.`,
      ].join('\n');
      return { json: rotated, text };
    };
  },
};

function isOfThisMachine(link: string): boolean {
  return isLoopbackHost(new URL(parseInviteLink(link).relayUrl).hostname);
}
