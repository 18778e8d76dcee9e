import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildCard } from '../../../relay/cards/agent-card.ts';
import { applyOwnCard } from '../../../relay/cards/apply-own-card.ts';
import { cardInForm, ownerOf } from '../../../relay/cards/card-form.ts';
import { ignoredMembers, ownCardSchema } from '../../../relay/cards/own-card.ts';
import { EXTENSION_URI } from '../../../relay/contract/handoff.ts';
import type { Agent } from '../../../relay/store/ports.ts';
import { cardRelay } from '../../support/cards.ts';
import { newAgent } from '../../support/stores.ts';

const bot: Agent = { ...newAgent('ext-bot', 'complete'), id: 3, createdAt: 1, updatedAt: 1 };

/** The agent with what a document says of it. */
function said(document: object, before: Agent = bot): Agent {
  const { id, uid, name, kind, replies, createdAt, updatedAt } = before;
  const change = applyOwnCard(before, ownCardSchema(document).parse(document));
  return { id, uid, name, kind, replies, createdAt, updatedAt, ...change };
}
/** Members that a document is refused for. */
const wrong = (document: object): string[] =>
  (ownCardSchema(document).safeParse(document).error?.issues ?? []).map(({ path }) => path.join('.'));

describe('a document of our own', () => {
  test('says everything that the directory shows', () => {
    const agent = said({
      name: 'Review bot',
      description: 'Reads pull requests.\r\nAll of them.',
      role: 'review',
      skills: ['review', 'rust'],
      repos: ['apps/web/', 'packages/ui/'],
      listed: false,
      iconUrl: 'https://vendor.example/bot.png',
      documentationUrl: 'http://vendor.example/docs?a=b',
    });
    expect(agent).toMatchObject({
      displayName: 'Review bot',
      description: 'Reads pull requests.\nAll of them.',
      role: 'review',
      skills: ['review', 'rust'],
      repos: ['apps/web/', 'packages/ui/'],
      listed: false,
      profile: { iconUrl: 'https://vendor.example/bot.png', documentationUrl: 'http://vendor.example/docs?a=b' },
    });
    expect(agent.profile).not.toHaveProperty('skills');
  });

  test('leaves alone what it does not mention, and takes away what it says is null', () => {
    const before = said({ role: 'review', skills: ['rust'], iconUrl: 'https://vendor.example/bot.png' });
    expect(said({}, before)).toEqual(before);
    const after = said({ role: null, iconUrl: null, skills: [] }, before);
    expect(after).toMatchObject({ displayName: before.displayName, skills: [] });
    expect(applyOwnCard(before, { role: null })).not.toHaveProperty('role');
    expect(applyOwnCard(before, { iconUrl: null })).not.toHaveProperty('profile');
  });

  test('takes everything away that it says is null: as if it had never been said', () => {
    const before = said({
      name: 'Review bot',
      description: 'Reads pull requests.',
      role: 'review',
      skills: [{ name: 'Rust', tags: ['rust'] }],
      repos: ['apps/web/'],
      listed: false,
      iconUrl: 'https://vendor.example/bot.png',
      documentationUrl: 'https://vendor.example/docs',
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      extensions: [{ uri: 'urn:x:1' }],
    });
    const members =
      'name description role skills repos listed iconUrl documentationUrl defaultInputModes defaultOutputModes extensions';
    const nothing = Object.fromEntries(members.split(' ').map((name) => [name, null]));
    expect(said(nothing, before)).toEqual(said({ skills: [], repos: [] }));
    // a 0.3 SDK writes down what it has not got
    const card = { url: 'https://vendor.example', iconUrl: null, capabilities: { extensions: null }, metadata: null };
    const { profile } = said(card, before);
    expect(profile).not.toHaveProperty('iconUrl');
    expect(profile).not.toHaveProperty('extensions');
    expect(profile).toHaveProperty('documentationUrl');
  });

  test('names addresses as a browser would, so that what one reads is where it leads', () => {
    const { profile } = said({
      iconUrl: 'HTTPS://Vendor.Example:443/a/../b c.png',
      documentationUrl: 'http://bücher.example/ü',
    });
    expect(profile).toMatchObject({
      iconUrl: 'https://vendor.example/b%20c.png',
      documentationUrl: 'http://xn--bcher-kva.example/%C3%BC',
    });
  });

  test('may give skills in full, and nothing that it says of one is lost', () => {
    const skill = {
      id: 'code-review',
      name: 'Code review',
      description: 'Reads\nline by line.',
      tags: ['review', 'rust'],
      examples: ['Is #41 safe?'],
      inputModes: ['text/plain'],
      outputModes: ['text/markdown'],
    };
    const agent = said({ skills: [skill, 'triage'] });
    expect(agent.skills).toEqual(['Code review', 'triage']);
    expect(buildCard({ agent, relay: cardRelay }).skills).toEqual([
      skill,
      { id: 'triage', name: 'triage', description: 'Takes handoffs about triage.', tags: ['triage'] },
    ]);
    expect(said({ skills: ['triage'] }, agent).profile).toBeUndefined();
  });

  test('fills in what 1.0 requires of a skill and its owner left out', () => {
    expect(said({ skills: [{ name: 'Triage', tags: [], description: '', examples: null }] }).profile?.skills).toEqual([
      { id: 'Triage', name: 'Triage', description: 'Takes handoffs about Triage.', tags: ['Triage'] },
    ]);
  });

  test('may require extensions, but never ours', () => {
    const extensions = [
      { uri: EXTENSION_URI, required: true },
      { uri: 'https://vendor.example/ext/v1', required: true, params: { a: [null, {}] } },
      { uri: 'urn:x:1', description: 'Optional.' },
    ];
    expect(said({ extensions }).profile?.extensions).toEqual([
      extensions[1],
      { uri: 'urn:x:1', description: 'Optional.', required: false },
    ]);
  });

  test.each([
    ['name', ''],
    ['name', '   '],
    ['name', 'a\nb'],
    ['name', 'a\u202Eb'],
    ['name', '\u001B[31mred'],
    ['name', 'x'.repeat(129)],
    ['name', 7],
    ['description', 'zero\u200Bwidth'],
    ['description', '\uD800'],
    ['description', 'x'.repeat(4001)],
    ['role', 'x'.repeat(65)],
    ['skills', 'react'],
    ['skills', Array.from({ length: 65 }, (_, i) => `s${i}`)],
    ['skills', ['react', 'react']],
    [
      'skills',
      [
        { id: 'a', name: 'A' },
        { id: 'a', name: 'B' },
      ],
    ],
    ['skills.0', [{ id: 'a' }]],
    ['skills.0', [7]],
    ['repos', ['']],
    ['listed', 'yes'],
    ['iconUrl', 'javascript:alert(1)'],
    ['iconUrl', 'ftp://vendor.example/a.png'],
    ['iconUrl', '/a.png'],
    ['iconUrl', 'https://user:pass@vendor.example/'],
    ['iconUrl', 'https://:pass@vendor.example/'],
    ['iconUrl', 'https://vendor.example/\u202Egnp.exe'],
    ['documentationUrl', 'data:text/html,hi'],
    ['documentationUrl', `https://vendor.example/${'x'.repeat(2048)}`],
    ['extensions', [{ uri: 'urn:a,urn:b' }]],
    ['extensions', [{ uri: 'no uri' }]],
    ['extensions', [{ uri: '/ext/v1' }]],
    ['extensions', [{ uri: 'https://vendor.example/größe' }]],
    ['extensions', [{ uri: 'https://vendor.example/%zz' }]],
    ['extensions', [{ uri: 'https://vendor.example/"<b>' }]],
    ['extensions', [{ uri: 'urn:x\r\nx-injected: 1' }]],
    ['extensions', [{ uri: 'http:' }]],
    ['extensions', [{ uri: 'urn:x:1' }, { uri: 'urn:x:1', required: true }]],
    ['extensions', [{ uri: 'urn:x', required: 'yes' }]],
    ['defaultInputModes', ['']],
  ])('is refused for the %s %j', (name, value) => {
    const found = wrong({ [name.split('.')[0] ?? '']: value });
    expect(found.length).toBeGreaterThan(0);
    for (const path of found) expect(path).toMatch(new RegExp(`^${name.split('.')[0] ?? ''}`));
  });

  test('is refused for a member that is not known: it is a slip of the pen', () => {
    expect(wrong({ skils: ['react'] })).toEqual(['']);
    expect(wrong({ api_key: 'ar_x' })).toEqual(['']);
  });

  test('is refused when it says more than is kept', () => {
    const skills = Array.from({ length: 30 }, (_, i) => ({ name: `s${i}`, description: 'x'.repeat(2000) }));
    expect(wrong({ skills })).toEqual(['']);
    expect(wrong({ skills: skills.slice(0, 15) })).toEqual([]);
  });
});

describe('a whole card of A2A', () => {
  const shared = {
    name: 'Vendor bot',
    description: 'Reviews code.',
    version: '7.1.0',
    provider: { organization: 'Vendor', url: 'https://vendor.example' },
    iconUrl: 'https://vendor.example/bot.png',
    defaultInputModes: ['text/plain', 'image/png'],
    defaultOutputModes: ['text/markdown'],
    skills: [{ id: 'review', name: 'Review', description: 'Reviews.', tags: ['code'] }],
  };
  const card10 = {
    ...shared,
    supportedInterfaces: [{ url: 'https://vendor.example/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: { streaming: true, extensions: [{ uri: 'urn:x:1', required: true }] },
    securitySchemes: { key: { apiKeySecurityScheme: { location: 'header', name: 'X-Key' } } },
  };
  const card03 = {
    ...shared,
    protocolVersion: '0.3.0',
    url: 'https://vendor.example/a2a',
    preferredTransport: 'JSONRPC',
    capabilities: { streaming: true, stateTransitionHistory: false, extensions: [{ uri: 'urn:x:1', required: true }] },
    security: [{ key: [] }],
  };

  test.each([
    ['1.0', card10],
    ['0.3', card03],
  ])('of %s gives what others are to see', (_, card) => {
    const agent = said(card, { ...bot, role: 'review', repos: ['apps/'] });
    expect(agent).toMatchObject({
      displayName: 'Vendor bot',
      description: 'Reviews code.',
      role: 'review',
      repos: ['apps/'],
      skills: ['Review'],
      profile: {
        skills: shared.skills,
        iconUrl: shared.iconUrl,
        inputModes: shared.defaultInputModes,
        outputModes: shared.defaultOutputModes,
        extensions: [{ uri: 'urn:x:1', required: true }],
      },
    });
    expect(JSON.stringify(agent)).not.toMatch(/X-Key|vendor\.example\/a2a/);
    expect(ignoredMembers(card)).toContain('version');
    expect(ignoredMembers(card)).toContain('url' in card ? 'url' : 'supportedInterfaces');
    expect(ignoredMembers(card)).not.toContain('name');
  });

  test('is judged as strictly where it is taken', () => {
    expect(wrong({ ...card10, name: 'a\u202Eb' })).toEqual(['name']);
    expect(wrong({ ...card03, skills: [{ id: 'x' }] })).not.toEqual([]);
    expect(wrong({ ...card10, capabilities: { extensions: [{ uri: 'a b' }] } })[0]).toMatch(
      /^capabilities\.extensions/,
    );
  });

  test('that the relay itself serves changes nothing, in any form that has all', () => {
    const agent = said({ role: 'review', repos: ['apps/'], skills: [{ id: 'r', name: 'R', tags: ['x'] }] });
    const served = buildCard({ agent, relay: cardRelay });
    for (const form of ['1.0', '0.3', 'hybrid'] as const) {
      const again = said(cardInForm(served, ownerOf(agent, 'acme'), form), agent);
      expect(again).toEqual({
        ...agent,
        profile: { ...agent.profile, inputModes: served.defaultInputModes, outputModes: served.defaultOutputModes },
      });
    }
  });
});

test('whatever is sent, what is taken makes a card that hides nothing', () => {
  const text = fc.string({ unit: 'binary', maxLength: 20 });
  const document = fc.record(
    { name: text, description: text, role: text, skills: fc.array(text), repos: fc.array(text) },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(document, (body) => {
      const parsed = ownCardSchema(body).safeParse(body);
      if (!parsed.success) return;
      const agent = { ...bot, ...applyOwnCard(bot, parsed.data) };
      expect(buildCard({ agent, relay: cardRelay }).name).toBe(agent.displayName.replace(/\s+/g, ' '));
      expect(agent.skills).not.toContain('');
    }),
  );
});
