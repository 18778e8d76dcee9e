import { describe, expect, it } from 'vitest';
import { ConnectionError, describeTrouble, troubleOf, type Trouble } from '../../../main/desk/trouble.ts';
import { RelayError } from '../../../relay/contract/reasons.ts';

function systemError(code: string): Error {
  return Object.assign(new Error(code), { code });
}
function fetchFailed(cause: Error): Error {
  return new TypeError('fetch failed', { cause });
}

describe('what an error says about the connection', () => {
  it.each<[string, unknown, Trouble]>([
    ['a refused connection', fetchFailed(systemError('ECONNREFUSED')), { kind: 'refused' }],
    [
      'a name with two addresses that both refuse',
      fetchFailed(new AggregateError([systemError('ECONNREFUSED'), systemError('ECONNREFUSED')])),
      { kind: 'refused' },
    ],
    ['an unknown name', fetchFailed(systemError('ENOTFOUND')), { kind: 'unknown_host' }],
    ['a name server that does not answer', fetchFailed(systemError('EAI_AGAIN')), { kind: 'unknown_host' }],
    ['a connection that takes too long', fetchFailed(systemError('UND_ERR_CONNECT_TIMEOUT')), { kind: 'timed_out' }],
    ['an answer that takes too long', new DOMException('', 'TimeoutError'), { kind: 'timed_out' }],
    ['a connection that was cut', fetchFailed(systemError('ECONNRESET')), { kind: 'dropped' }],
    ['a body that was cut', new TypeError('terminated', { cause: systemError('UND_ERR_SOCKET') }), { kind: 'dropped' }],
    [
      'an answer that is no HTTP',
      fetchFailed(Object.assign(new Error(''), { name: 'HTTPParserError' })),
      { kind: 'unreadable' },
    ],
    ['one of our own', new ConnectionError({ kind: 'silent' }), { kind: 'silent' }],
    ['a refused key', new RelayError('UNAUTHENTICATED', ''), { kind: 'revoked' }],
    ['a refusal of another kind', new RelayError('STORAGE_FAILED', ''), { kind: 'answered', with: 'STORAGE_FAILED' }],
    ['a mistake of ours', new TypeError('x is not a function'), { kind: 'fault' }],
    ['something that is no error', 'oops', { kind: 'fault' }],
  ])('%s', (_what, error, trouble) => {
    expect(troubleOf(error)).toEqual(trouble);
  });

  it('is found however deep it lies', () => {
    const error = new Error('a', { cause: new Error('b', { cause: fetchFailed(systemError('ECONNREFUSED')) }) });
    expect(troubleOf(error)).toEqual({ kind: 'refused' });
  });
});

it('every trouble has words of its own', () => {
  const troubles: Trouble[] = [
    { kind: 'refused' },
    { kind: 'unknown_host' },
    { kind: 'timed_out' },
    { kind: 'dropped' },
    { kind: 'silent' },
    { kind: 'answered', with: 'HTTP 500' },
    { kind: 'answered', with: 'HTTP 502' },
    { kind: 'unreadable' },
    { kind: 'in_use' },
    { kind: 'revoked' },
    { kind: 'fault' },
  ];
  const words = troubles.map(describeTrouble);
  expect(new Set(words).size).toBe(troubles.length);
  expect(words.slice(0, 3)).toEqual(['refused', 'host not found', 'timed out']);
});
