import type { CommandInput, CommandOutput } from '../relay/contract/desk-api.ts';
import type { Relay } from '../relay/server.ts';

/** The desk's `registerAgent` on the own relay, whose owner this process is. */
export async function registerAgent(
  relay: Pick<Relay, 'register'>,
  { name, ...others }: CommandInput<'registerAgent'>,
): Promise<CommandOutput<'registerAgent'>> {
  const registered = await relay.register({ ...others, ...(name !== undefined && { displayName: name }) });
  const { handle, endpoint, cardUrl, apiKey } = registered;
  return { handle, endpoint, card_url: cardUrl, api_key: apiKey };
}
