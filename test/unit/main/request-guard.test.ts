import { describe, expect, it } from 'vitest';
import { foreignRequest, readCookie, type RequestOrigin } from '../../../main/browser/request-guard.ts';

const PORT = 41873;
const own: RequestOrigin = {
  method: 'POST',
  target: '/desk/getSnapshot',
  host: '127.0.0.1:41873',
  hosts: 1,
  origin: 'http://127.0.0.1:41873',
  fetchSite: 'same-origin',
};
const isForeign = (changes: Partial<RequestOrigin>): boolean =>
  foreignRequest({ ...own, ...changes }, PORT) !== undefined;

describe('a request of our own window', () => {
  it('is taken, under either name of loopback', () => {
    expect(isForeign({})).toBe(false);
    expect(isForeign({ host: 'localhost:41873', origin: 'http://localhost:41873' })).toBe(false);
  });

  it('is taken when a person opens the address, or a browser too old to say where from', () => {
    expect(isForeign({ method: 'GET', origin: undefined, fetchSite: 'none' })).toBe(false);
    expect(isForeign({ method: 'GET', origin: undefined, fetchSite: undefined })).toBe(false);
  });
});

describe('a request from elsewhere', () => {
  it.each([
    undefined,
    '',
    'evil.example',
    'evil.example:41873',
    '127.0.0.1',
    '127.0.0.1:80',
    '127.0.0.1:418731',
    '127.0.0.1:41873.evil.example',
    '127.0.0.1.evil.example:41873',
    'LOCALHOST:41873@evil.example',
    '[::1]:41873',
    '0.0.0.0:41873',
  ])('is refused under the Host %j', (host) => {
    expect(isForeign({ host })).toBe(true);
  });

  it.each([
    'null',
    'http://evil.example',
    'https://127.0.0.1:41873',
    'http://127.0.0.1:41874',
    'http://localhost:41873',
    'http://127.0.0.1:41873.evil.example',
  ])('is refused with the Origin %j', (origin) => {
    expect(isForeign({ origin })).toBe(true);
    expect(isForeign({ origin, method: 'GET' })).toBe(true);
  });

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD'])('is refused as %s without an Origin', (method) => {
    expect(isForeign({ origin: undefined, method })).toBe(true);
  });

  it.each([
    'http://evil.example/',
    'http://127.0.0.1:41873/desk/getSnapshot',
    'HTTPS://127.0.0.1:41873',
    '127.0.0.1:41873',
    '*',
    '',
  ])('is refused for the target %j, whatever its Host says', (target) => {
    expect(isForeign({ target })).toBe(true);
  });

  it('is refused with two Host headers, though the first is ours', () => {
    expect(isForeign({ hosts: 2 })).toBe(true);
  });

  it.each(['cross-site', 'same-site', 'other'])('is refused with Sec-Fetch-Site %s', (fetchSite) => {
    expect(isForeign({ fetchSite })).toBe(true);
    expect(isForeign({ fetchSite, method: 'GET', origin: undefined })).toBe(true);
  });
});

describe('a cookie', () => {
  it('is found among others by its whole name', () => {
    expect(readCookie('a=1; agentrelay-2=x; agentrelay-1=y=z', 'agentrelay-1')).toBe('y=z');
    expect(readCookie('xagentrelay-1=no; agentrelay-11=no', 'agentrelay-1')).toBeUndefined();
  });

  it('is absent in an absent, empty or malformed header', () => {
    for (const header of [undefined, '', ';;', 'agentrelay-1']) {
      expect(readCookie(header, 'agentrelay-1')).toBeUndefined();
    }
  });
});
