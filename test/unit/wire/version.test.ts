import { describe, expect, test } from 'vitest';
import { A2A_0_1 } from '../../../relay/wire/a2a-0.1/dialect.ts';
import { A2A_0_3 } from '../../../relay/wire/a2a-0.3/dialect.ts';
import { A2A_1_0 } from '../../../relay/wire/a2a-1.0/dialect.ts';
import { AGENTRELAY } from '../../../relay/wire/agentrelay/dialect.ts';
import { negotiate } from '../../../relay/wire/version.ts';
import { reasonOf, refused } from './refused.ts';

describe('a 1.0 method', () => {
  test.each(['1.0', ' 1.0 ', '1.0.0', '1.0.1', '1.0.12-rc.1'])('is served with the version %j', (version) => {
    expect(negotiate('SendMessage', version, undefined)).toBe(A2A_1_0);
    expect(negotiate('SendMessage', undefined, version)).toBe(A2A_1_0);
  });

  test.each([undefined, '', '  '])('without a version (%j) is 0.3, which has no such method', (header) => {
    const error = refused('VERSION_NOT_SUPPORTED', () => negotiate('SendMessage', header, undefined));
    expect(error.metadata).toEqual({ requested: '0.3', supported: '1.0, 0.3, 0.2, 0.1' });
    expect(error.message).toContain('A2A-Version: 1.0');
  });

  test('without a version is served as 1.0 by a lenient relay, but not with another version', () => {
    expect(negotiate('SendMessage', undefined, undefined, { lenient: true })).toBe(A2A_1_0);
    expect(negotiate('SendMessage', '', '', { lenient: true })).toBe(A2A_1_0);
    expect(reasonOf(() => negotiate('SendMessage', '0.3', undefined, { lenient: true }))).toBe('VERSION_NOT_SUPPORTED');
    expect(negotiate('message/send', undefined, undefined, { lenient: true })).toBe(A2A_0_3);
  });

  test('that nobody knows is left to the decoder', () => {
    expect(negotiate('Frobnicate', '1.0', undefined)).toBe(A2A_1_0);
  });

  test('follows the header where the query contradicts it', () => {
    expect(negotiate('GetTask', '1.0', '0.3')).toBe(A2A_1_0);
    expect(reasonOf(() => negotiate('GetTask', '0.3', '1.0'))).toBe('VERSION_NOT_SUPPORTED');
  });
});

describe('a version that is not spoken', () => {
  const junk = ['99.0', '1.1', '2.0', '0.4', '0.9', '1', 'v1.0', '1.0,1.0', '01.0', '1.', '.0', '1.0 beta', 'x'];
  const methods = [
    'SendMessage',
    'GetTask',
    'Nope',
    'message/send',
    'tasks/get',
    'tasks/send',
    'tasks/update',
    'tasks/list',
  ];
  test.each(junk.flatMap((version) => methods.map((method) => [version, method] as const)))(
    '%j is refused on %s',
    (version, method) => {
      expect(reasonOf(() => negotiate(method, version, undefined))).toBe('VERSION_NOT_SUPPORTED');
    },
  );

  test('is quoted, but not at any length', () => {
    const error = refused('VERSION_NOT_SUPPORTED', () => negotiate('GetTask', '9'.repeat(10_000), undefined));
    expect(error.message.length).toBeLessThan(250);
  });
});

const OLD = ['message/send', 'tasks/get', 'tasks/pushNotificationConfig/set', 'tasks/send', 'tasks/sendSubscribe'];

describe('an older method', () => {
  test.each(OLD)('%s is served in its generation under the older versions, and under none', (method) => {
    const dialect = ['tasks/send', 'tasks/sendSubscribe'].includes(method) ? A2A_0_1 : A2A_0_3;
    for (const version of [undefined, '', '0.3', '0.3.0', '0.2', '0.2.5', '0.1']) {
      expect(negotiate(method, version, undefined)).toBe(dialect);
    }
  });
});

test.each([...OLD, 'sendMessage', 'Send/Message', '', 'a b', 'SendMessage\n', 'X'.repeat(10_000)])(
  'the name %.40j is no method of 1.0',
  (method) => {
    const error = refused('METHOD_NOT_FOUND', () => negotiate(method, '1.0', undefined));
    expect(error.message.length).toBeLessThan(200);
  },
);

test.each(['tasks/update', 'tasks/list'])("our extension's %s is served under any version", (method) => {
  for (const version of [undefined, '', '0.3', '1.0', '1.0.1']) {
    expect(negotiate(method, version, undefined)).toBe(AGENTRELAY);
  }
});
