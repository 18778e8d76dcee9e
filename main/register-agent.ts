import type { CommandInput, CommandOutput } from '../relay/contract/desk-api.ts';
import type { Relay } from '../relay/server.ts';

/**
 * The desk's `registerAgent` on the own relay, whose owner this process is. Whoever is registered there becomes a contact
 * of the account.
 */
export async function registerAgent(
  relay: Pick<Relay, 'register'>,
  { name, ...others }: CommandInput<'registerAgent'>,
  account: string,
): Promise<CommandOutput<'registerAgent'>> {
  const registered = await relay.register({ ...others, ...(name !== undefined && { displayName: name }) }, account);
  const { handle, endpoint, cardUrl, apiKey } = registered;
  return { handle, endpoint, card_url: cardUrl, api_key: apiKey };
}
