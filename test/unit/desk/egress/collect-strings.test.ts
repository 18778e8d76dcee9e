import { describe, expect, test } from 'vitest';
import { collectStrings, type Outgoing } from '../../../../main/desk/egress/collect-strings.ts';
import { scanEgress } from '../../../../main/desk/egress/scan-egress.ts';
import { drawn } from './secrets.ts';

const KEY = `ar_${drawn(43)}`;

const values = (outgoing: Outgoing): Record<string, string> =>
  Object.fromEntries(
    collectStrings(outgoing).flatMap(({ where, text }) => (where.startsWith('name of ') ? [] : [[where, text]])),
  );

test('every string of a handoff leaves from somewhere', () => {
  expect(
    values({
      to: 'alice@acme',
      body: 'Look at this.',
      intent: 'propose_action',
      proposed_action: { description: 'd', target_files: ['a.ts', 'b.ts'], rationale: 'r', suggested_diff: '+x' },
      artifacts: [
        { type: 'file_diff', path: 'a.ts', diff: '+x' },
        { type: 'file_ref', path: 'b.ts', git_sha: 'abcdef0', lines: [1, 2] },
        { type: 'test_command', command: 'npm test', cwd: 'web' },
        { type: 'api_contract', inline: 'openapi: 3', format: 'openapi' },
        { type: 'link', url: 'https://acme.example/', title: 't' },
        { type: 'test_result', command: 'npm test', exit_code: 1, summary: 's' },
      ],
    }),
  ).toEqual({
    to: 'alice@acme',
    body: 'Look at this.',
    intent: 'propose_action',
    'proposed_action.description': 'd',
    'proposed_action.target_files[0]': 'a.ts',
    'proposed_action.target_files[1]': 'b.ts',
    'proposed_action.rationale': 'r',
    'proposed_action.suggested_diff': '+x',
    'artifacts[0].type': 'file_diff',
    'artifacts[0].path': 'a.ts',
    'artifacts[0].diff': '+x',
    'artifacts[1].type': 'file_ref',
    'artifacts[1].path': 'b.ts',
    'artifacts[1].git_sha': 'abcdef0',
    'artifacts[2].type': 'test_command',
    'artifacts[2].command': 'npm test',
    'artifacts[2].cwd': 'web',
    'artifacts[3].type': 'api_contract',
    'artifacts[3].inline': 'openapi: 3',
    'artifacts[3].format': 'openapi',
    'artifacts[4].type': 'link',
    'artifacts[4].url': 'https://acme.example/',
    'artifacts[4].title': 't',
    'artifacts[5].type': 'test_result',
    'artifacts[5].command': 'npm test',
    'artifacts[5].summary': 's',
  });
});

test('a message, and a step with its reason', () => {
  expect(values({ task_id: 't', body: 'b', kind: 'question' })).toEqual({ task_id: 't', body: 'b', kind: 'question' });
  expect(values({ task_id: 't', transition: 'decline', reason: 'r' })).toEqual({
    task_id: 't',
    transition: 'decline',
    reason: 'r',
  });
});

/** What a later version may send, of types that this one does not know. */
const unknown = (data: unknown): Outgoing => {
  const outgoing = { task_id: 't', body: 'b', artifacts: [data] };
  return outgoing as unknown as Outgoing;
};

describe('an artifact of an unknown type', () => {
  test('is looked through to its last leaf', () => {
    expect(values(unknown({ type: 'x', rows: [[{ cell: 'c' }], [], null, 1, true], 'a b': 'd' }))).toMatchObject({
      'artifacts[0].rows[0][0].cell': 'c',
      'artifacts[0].{2}': 'd',
    });
  });

  test('hides nothing in the names of its members, and what says where does not tell it either', async () => {
    const passages = collectStrings(unknown({ type: 'x', [KEY]: { [KEY]: 'v' } }));
    const findings = await scanEgress(passages, { homeDirs: [] });
    expect(findings.map(({ where, rule }) => [where, rule])).toEqual([
      ['name of artifacts[0].{1}', 'agentrelay-key'],
      ['name of artifacts[0].{1}.{0}', 'agentrelay-key'],
    ]);
    expect(JSON.stringify(findings)).not.toContain(KEY.slice(4, -2));
  });

  test('may have names that every object has', () => {
    const data: unknown = JSON.parse('{"__proto__":{"constructor":"c"},"toString":"s"}');
    expect(Object.values(values(unknown(data)))).toEqual(expect.arrayContaining(['c', 's']));
  });
});
