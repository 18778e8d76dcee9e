import { createRelay } from '../../relay/server.ts';

/**
 * A relay as a process of its own, to be killed: `node relay-process.ts DIR NAME=KEY…`. It registers the agents that are
 * named, with the keys that are given, and prints its URL.
 */
const [dataDir, ...agents] = process.argv.slice(2);
if (dataDir === undefined) throw new Error('which folder?');
const relay = await createRelay({ dataDir, name: 'acme', webhookAllow: ['127.0.0.1'] });
for (const agent of agents) {
  const [handle = '', apiKey = ''] = agent.split('=');
  await relay.register({ handle, apiKey, contacts: 'auto' });
}
process.stdout.write(`${await relay.listen({ host: '127.0.0.1', port: 0 })}\n`);
