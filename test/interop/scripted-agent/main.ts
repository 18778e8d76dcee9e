import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { runScriptedAgent } from './scripted-agent.ts';

/**
 * `node test/interop/scripted-agent/main.ts --relay URL [--handle NAME | --key-file FILE]`: registers at a relay that takes
 * anybody (`agentrelay serve --open-profile`), or speaks with a key that it is given, prints the address of its card, and
 * answers until it is stopped.
 */
const { values } = parseArgs({
  options: {
    relay: { type: 'string', default: 'http://127.0.0.1:7319' },
    handle: { type: 'string', default: 'scripted' },
    'key-file': { type: 'string' },
  },
});

const apiKey = values['key-file'] === undefined ? await register() : readFileSync(values['key-file'], 'utf8').trim();
const agent = runScriptedAgent({ relay: values.relay, apiKey, onError: (error) => console.error(error) });
await agent.ready;
console.log(`${values.relay}/a/${values.handle}`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void agent.close());

async function register(): Promise<string> {
  const response = await fetch(new URL('/v1/register', values.relay), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ handle: values.handle, name: 'Scripted agent', kind: 'a2a' }),
  });
  if (!response.ok) throw new Error(`The relay does not register "${values.handle}": ${await response.text()}`);
  const { api_key: key } = (await response.json()) as { api_key: string };
  return key;
}
