import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatInviteLink, isInviteCode, parseInviteLink } from '../../../relay/contract/invite.ts';
import { RelayError } from '../../../relay/contract/reasons.ts';

const base64url = (length: number) =>
  fc.string({
    unit: fc.constantFrom(...Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_')),
    minLength: length,
    maxLength: length,
  });
const relayUrls = fc.webUrl({ validSchemes: ['http', 'https'] }).map((url) => new URL(url).href.replace(/\/+$/, ''));

const code = `ai_${'c'.repeat(43)}`;
const relayId = 'r'.repeat(43);
const relayUrl = 'https://relay.example';
const link = formatInviteLink({ relayUrl, relayId, code });

describe('the link of an invite', () => {
  test('says where the relay is and who, and has the code behind #, where no browser sends it', () => {
    expect(link).toBe(`agentrelay://join?relay=https%3A%2F%2Frelay.example&id=${relayId}#${code}`);
    expect(parseInviteLink(link)).toEqual({ relayUrl, relayId, code, isPlain: false });
  });

  test('reads as it was written, whatever is in it', () => {
    fc.assert(
      fc.property(relayUrls, base64url(43), base64url(43), (url, id, secret) => {
        const written = { relayUrl: url, relayId: id, code: `ai_${secret}` };
        expect(parseInviteLink(formatInviteLink(written))).toMatchObject(written);
      }),
    );
  });

  test.each([` ${link}\n`, link.replace('join?', 'join/?'), link.replace('agentrelay', 'AGENTRELAY')])(
    'reads as a terminal or a browser has it: %j',
    (text) => {
      expect(parseInviteLink(text)).toEqual({ relayUrl, relayId, code, isPlain: false });
    },
  );

  test('may say more than this version knows', () => {
    const later = link.replace('#', '&fp=sha256:00&x=1#');
    expect(parseInviteLink(later)).toEqual({ relayUrl, relayId, code, isPlain: false });
  });

  test.each([
    ['http://127.0.0.1:7319', false],
    ['http://localhost:7319', false],
    ['http://[::1]:7319', false],
    ['https://10.0.0.7', false],
    ['http://10.0.0.7:7319', true],
    ['http://relay.example', true],
    ['http://127.0.0.1.example', true],
    ['http://localhost.example', true],
  ])('to %s would show keys on the way: %s', (url, isPlain) => {
    expect(parseInviteLink(formatInviteLink({ relayUrl: url, relayId, code }))).toMatchObject({
      relayUrl: url,
      isPlain,
    });
  });

  test.each([
    ['nothing', ''],
    ['no link', 'join me'],
    ['another scheme', link.replace('agentrelay:', 'https:')],
    ['something else of ours', link.replace('join', 'open')],
    ['a path', link.replace('join?', 'join/x?')],
    ['no code', link.replace(/#.*/, '')],
    ['an empty code', link.replace(/#.*/, '#')],
    ['a code that was cut', link.slice(0, -1)],
    ['a code that is a key', link.replace('#ai_', '#ar_')],
    ['a code with more behind it', `${link}A`],
    ['the code in the query', link.replace('#', '&code=')],
    ['no relay id', link.replace(/&id=[^#]*/, '')],
    ['two relay ids', link.replace('#', `&id=${relayId}#`)],
    ['a relay id that is a name', link.replace(relayId, 'acme')],
    ['no relay', link.replace(/relay=[^&]*&/, '')],
    ['two relays', link.replace('#', '&relay=https://elsewhere.example#')],
    ['a relay that is no address', link.replace(/relay=[^&]*/, 'relay=acme')],
    ['a file as the relay', link.replace(/relay=[^&]*/, 'relay=file:///etc/passwd')],
    ['a script as the relay', link.replace(/relay=[^&]*/, 'relay=javascript:alert(1)')],
    ['a name and a password', link.replace(/relay=[^&]*/, 'relay=https://a:b@relay.example')],
    ['a name', link.replace(/relay=[^&]*/, 'relay=https://relay.example@elsewhere.example')],
    ['a query of the relay’s', link.replace(/relay=[^&]*/, `relay=${encodeURIComponent('https://relay.example?x')}`)],
    [
      'a fragment of the relay’s',
      link.replace(/relay=[^&]*/, `relay=${encodeURIComponent('https://relay.example#x')}`),
    ],
    ['five thousand characters', link.replace('#', `&x=${'x'.repeat(5_000)}#`)],
  ])('is refused with %s', (_, text) => {
    expect(() => parseInviteLink(text)).toThrow(expect.objectContaining({ reason: 'INVALID_PARAMS' }));
  });

  test('is refused without repeating its code, and with nothing but a refusal', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((text) => `agentrelay://join?${text}#${code}`),
        ),
        (text) => {
          try {
            parseInviteLink(text);
          } catch (error) {
            expect(error).toBeInstanceOf(RelayError);
            expect(String(error)).not.toContain(code);
          }
        },
      ),
    );
  });
});

test.each([
  [code, true],
  [`${code}\n`, false],
  [code.toUpperCase(), false],
  ['', false],
])('%j could be a code: %s', (text, isCode) => {
  expect(isInviteCode(text)).toBe(isCode);
});
