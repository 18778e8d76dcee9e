import { describe, expect, test } from 'vitest';
import { buildCard } from '../../../relay/cards/agent-card.ts';
import { cardResponse as response, type CardConditions } from '../../../relay/cards/card-response.ts';

const relay = { name: 'acme', publicUrl: 'https://relay.acme.example', version: '1.2.3' };
const agent = { name: 'zoe', displayName: 'Zoë 🙂', description: 'Sagt „Hallo“.', skills: [] };
const card = buildCard({ agent, relay });
const updatedAt = Date.UTC(2026, 10, 30, 12, 0, 0, 999);
const now = Date.UTC(2026, 10, 30, 13, 0, 0);
const cardResponse = (of: object, conditions: Omit<CardConditions, 'now'>) => response(of, { now, ...conditions });
const etag = cardResponse(card, { updatedAt }).headers['etag'] ?? '';

describe('the answer to a request for a card', () => {
  test('is the card, in bytes that are all ASCII', () => {
    const { status, body } = cardResponse(card, { updatedAt });
    expect(status).toBe(200);
    expect(JSON.parse(body)).toEqual(card);
    expect(body).toMatch(/^[\x20-\x7e]+$/);
  });

  test('lets caches and other origins use it', () => {
    expect(cardResponse(card, { updatedAt }).headers).toEqual({
      'content-type': 'application/json',
      etag: expect.stringMatching(/^"[A-Za-z0-9_-]{43}"$/),
      'last-modified': 'Mon, 30 Nov 2026 12:00:01 GMT',
      'cache-control': 'public, max-age=300',
      vary: 'A2A-Version',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'ETag',
    });
  });

  test('has the same tag for the same card, and another for another', () => {
    expect(cardResponse(card, { updatedAt: 0 }).headers['etag']).toBe(etag);
    const other = buildCard({ agent: { ...agent, description: 'Sagt nichts.' }, relay });
    expect(cardResponse(other, { updatedAt }).headers['etag']).not.toBe(etag);
  });
});

describe('a copy that the caller holds', () => {
  const other = `"${'A'.repeat(43)}"`;

  test.each([
    ['its own tag', etag],
    ['its own tag, weak', `W/${etag}`],
    ['a list that holds it', `${other}, ${etag}`],
    ['a list without spaces', `W/${other},W/${etag}`],
    ['a list whose other tags hold commas', `"a,b", ${etag}`],
    ['any tag at all', '*'],
    ['any tag at all, with space around', ' * '],
  ])('is still good for %s', (_, ifNoneMatch) => {
    expect(cardResponse(card, { updatedAt, ifNoneMatch }).status).toBe(304);
  });

  test.each([
    ['another tag', other],
    ['nothing', ''],
    ['the tag without its quotes', etag.slice(1, -1)],
    ['a tag that only begins like it', `${etag.slice(0, -1)}x"`],
    ['a tag that only holds it', `"x${etag.slice(1)}`],
    ['a star in quotes', '"*"'],
  ])('is not good for %s', (_, ifNoneMatch) => {
    expect(cardResponse(card, { updatedAt, ifNoneMatch }).status).toBe(200);
  });

  test.each([
    ['the date that it was sent with', 'Mon, 30 Nov 2026 12:00:01 GMT', 304],
    ['the second of the change, in which there may have been another', 'Mon, 30 Nov 2026 12:00:00 GMT', 200],
    ['a later time', 'Tue, 01 Dec 2026 00:00:00 GMT', 304],
    ['a time before the change', 'Mon, 30 Nov 2026 11:59:59 GMT', 200],
    ['no date', 'recently', 200],
  ])('asked about by %s', (_, ifModifiedSince, status) => {
    expect(cardResponse(card, { updatedAt, ifModifiedSince }).status).toBe(status);
  });

  test('is judged by the tag alone when there is a date as well', () => {
    const later = 'Tue, 01 Dec 2026 00:00:00 GMT';
    const before = 'Mon, 30 Nov 2020 00:00:00 GMT';
    expect(cardResponse(card, { updatedAt, ifNoneMatch: other, ifModifiedSince: later }).status).toBe(200);
    expect(cardResponse(card, { updatedAt, ifNoneMatch: etag, ifModifiedSince: before }).status).toBe(304);
  });

  test('is confirmed without a body, with the headers that a cache renews', () => {
    const { headers, body } = cardResponse(card, { updatedAt, ifNoneMatch: etag });
    const { 'content-type': _, ...renewed } = cardResponse(card, { updatedAt }).headers;
    expect(body).toBe('');
    expect(headers).toEqual(renewed);
  });

  test('is not taken for the new one when the card changed twice in one second', () => {
    const at = (ms: number) => Date.UTC(2026, 10, 30, 12, 0, 0, ms);
    const { headers } = response(card, { updatedAt: at(100), now: at(200) });
    const ifModifiedSince = headers['last-modified'];
    // the date that the answer has itself, which some send back, is the same
    expect(ifModifiedSince).toBe('Mon, 30 Nov 2026 12:00:00 GMT');
    for (const asked of [at(500), at(60_000)]) {
      expect(response(card, { updatedAt: at(500), now: asked, ifModifiedSince }).status).toBe(200);
    }
  });
});
