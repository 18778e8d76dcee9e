import { describe, expect, it } from 'vitest';
import { fullHandle, relayName } from '../../../main/desk/handles.ts';

describe('a handle as a person gives it', () => {
  it('is meant on the relay of the account', () => {
    expect(fullHandle('alice', 'acme')).toBe('alice@acme');
  });
  it('keeps a relay that it names', () => {
    expect(fullHandle('ext-bot@vendor', 'acme')).toBe('ext-bot@vendor');
  });
  it('is written in lower case', () => {
    expect(fullHandle('Alice@ACME', 'acme')).toBe('alice@acme');
  });
  it('is refused when it is none', () => {
    expect(() => fullHandle('a@b@c', 'acme')).toThrow(expect.objectContaining({ reason: 'INVALID_PARAMS' }));
  });
});

it('the relay is the part behind the @', () => {
  expect(relayName('frank@acme')).toBe('acme');
});
