import { describe, expect, it } from 'vitest';
import { readRelayUrl } from '../../../main/cli/remote-registration.ts';
import { UsageError } from '../../../main/start-error.ts';

describe('the address of another relay', () => {
  it.each([
    ['https://relay.example.com', 'https://relay.example.com'],
    ['https://relay.example.com:7319/', 'https://relay.example.com:7319'],
    ['http://127.0.0.1:7319', 'http://127.0.0.1:7319'],
    ['http://localhost:7319/', 'http://localhost:7319'],
    ['http://[::1]:7319', 'http://[::1]:7319'],
  ])('may be %s', (text, url) => {
    expect(readRelayUrl(text, false)).toBe(url);
  });

  it.each(['', 'relay.example.com', 'ftp://relay.example.com', '/relay'])('is not %j', (text) => {
    expect(() => readRelayUrl(text, true)).toThrow(UsageError);
  });

  it('is none to which a key would travel readable, unless that was asked for', () => {
    for (const text of ['http://relay.example.com', 'http://localhost.example.com', 'http://10.0.0.1']) {
      expect(() => readRelayUrl(text, false)).toThrow(/--insecure/);
      expect(readRelayUrl(text, true)).toBe(text);
    }
  });
});
