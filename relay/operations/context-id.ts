import { hash } from 'node:crypto';
import type { Agent } from '../store/ports.ts';

/**
 * The conversation of two agents, for clients that name none (A2A 1.0.1 section 3.4): always the same one for the same
 * two, and another one should a name be given to a new agent. In the form of a UUID (version 8, RFC 9562 section 5.8).
 */
export function pairContextId(relayId: string, a: Agent, b: Agent): string {
  const hex = hash('sha256', `${relayId}\n${[a.uid, b.uid].toSorted().join('\n')}`);
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
