import type { Message } from '../contract/a2a.ts';
import { isPerson, type Author } from '../contract/handoff.ts';
import { follow } from '../handoffs/chain.ts';
import type { AgentId, Chain } from '../store/ports.ts';
import type { RelayContext } from './context.ts';

/**
 * The chain of a new handoff, by what its first message refers to; undefined where it begins one, as all does that a person
 * sends. What is referred to never changes in what counts here, so it is read before the write.
 */
export async function chainOf(
  { log }: Pick<RelayContext, 'log'>,
  { referenceTaskIds = [] }: Message,
  author: Author,
  { sender, recipient }: { readonly sender: AgentId; readonly recipient: AgentId },
): Promise<Chain | undefined> {
  if (isPerson(author)) return undefined;
  const named = await Promise.all([...new Set(referenceTaskIds)].map((id) => log.readHandoff(id)));
  return follow(
    sender,
    recipient,
    named.filter((handoff) => handoff !== undefined),
  );
}
