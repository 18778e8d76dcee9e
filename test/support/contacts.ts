import { contactViewSchema, type ContactView } from '../../relay/contract/contact.ts';
import type { A2aClient, HttpAnswer } from './a2a-client.ts';

/** `POST /v1/contacts`: what an agent says about another one. */
export function decide(agent: A2aClient, handle: string, decision?: 'accept' | 'decline'): Promise<HttpAnswer> {
  return agent.http('POST', '/v1/contacts', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ handle, ...(decision && { decision }) }),
  });
}

/** Lets each of them reach the others. */
export async function befriend(...agents: readonly A2aClient[]): Promise<void> {
  for (const agent of agents) {
    for (const other of agents) {
      if (other === agent) continue;
      const { status, body } = await decide(agent, other.handle);
      if (status !== 200) throw new Error(`no contact: ${body}`);
    }
  }
}

/** What there is between an agent and another one, as the relay tells the first. */
export async function contactOf(agent: A2aClient, handle: string): Promise<ContactView | undefined> {
  const { body } = await agent.http('GET', '/v1/contacts?limit=1000');
  const { contacts } = JSON.parse(body) as { contacts: unknown[] };
  return contacts.map((one) => contactViewSchema.parse(one)).find((one) => one.handle === handle);
}
