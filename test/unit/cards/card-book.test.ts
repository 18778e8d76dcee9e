import { describe, expect, test } from 'vitest';
import { createCardBook } from '../../../relay/cards/card-book.ts';
import { EXTENSION_URI } from '../../../relay/contract/handoff.ts';
import type { Agent } from '../../../relay/store/ports.ts';
import { assertAgentCard } from '../../support/a2a-1.0-schema.ts';
import { cardRelay, signerForTest } from '../../support/cards.ts';
import { newAgent } from '../../support/stores.ts';

/** A book whose relay can move, and the number of cards that were signed. */
function bookForTest() {
  const signer = signerForTest();
  const state = { url: 'https://relay.acme.example', signed: 0 };
  const book = createCardBook(() => ({ ...cardRelay, publicUrl: state.url }), {
    ...signer,
    sign(card, jku) {
      state.signed++;
      return signer.sign(card, jku);
    },
  });
  return { book, state };
}
const alice: Agent = { ...newAgent('alice'), id: 1, repos: ['apps/'], listed: false, createdAt: 1, updatedAt: 1 };

describe('a card', () => {
  test('is signed once for each state of its agent', () => {
    const { book, state } = bookForTest();
    const card = book.ofAgent(alice);
    expect(book.ofAgent(alice)).toBe(card);
    expect(book.ofGuide()).toBe(book.ofGuide());
    expect(state.signed).toBe(2);
    const changed = book.ofAgent({ ...alice, displayName: 'Alice', updatedAt: 2 });
    expect([changed.name, state.signed]).toEqual(['Alice', 3]);
  });

  test('is made anew when the relay is reached elsewhere', () => {
    const { book, state } = bookForTest();
    book.ofAgent(alice);
    state.url = 'https://new.acme.example';
    const card = book.ofAgent(alice);
    expect(card.supportedInterfaces[0]?.url).toBe('https://new.acme.example/a/alice');
    const [{ protected: header } = { protected: '' }] = card.signatures ?? [];
    expect(Buffer.from(header, 'base64url').toString()).toContain('https://new.acme.example/.well-known/jwks.json');
    expect(book.addressOf(alice)).toBe('https://new.acme.example/a/alice/agent-card.json');
  });

  test('that is extended says more, signed as well, and the public one stays as it was', () => {
    const { book } = bookForTest();
    const [open, extended] = [book.ofAgent(alice), book.extended(alice)];
    assertAgentCard(extended);
    expect(extended.capabilities.extensions[0]).toMatchObject({
      uri: EXTENSION_URI,
      params: { handle: 'alice@acme', repos: ['apps/'], listed: false },
    });
    expect(open.capabilities.extensions[0]).not.toHaveProperty('params');
    expect(extended.signatures).toHaveLength(2);
    expect(extended.signatures).not.toEqual(open.signatures);
  });
});
