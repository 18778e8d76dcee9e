import { describe, expect, it } from 'vitest';
import { threadText } from '../../../main/cli/thread-text.ts';
import { artifactPart } from '../../../relay/contract/artifact.ts';
import type { Thread } from '../../../relay/contract/desk-api.ts';
import type { HandoffView, ThreadEvent } from '../../../relay/contract/handoff.ts';
import { rowOf } from '../desk/samples.ts';

const AT = new Date(2026, 10, 30, 14, 5).getTime();
const cursors = { offered: 0, surfaced: 0, acked: 0, held: false };

const view: HandoffView = {
  task_id: '01a22cfc-a930-75ab-9c7b-963af86fe1e4',
  role: 'recipient',
  sender: 'frank@acme',
  recipient: 'mia@acme',
  state: 'declined',
  version: 2,
  summary: 'Fix the parser',
  intent: 'propose_action',
  artifact_types: ['file_diff'],
  last_actor: 'recipient',
  last_version: 2,
  receipts: { sender: cursors, recipient: cursors },
  created_at: AT,
  updated_at: AT,
};

function thread(events: readonly ThreadEvent[], changes: Partial<HandoffView> = {}): Thread {
  const handoff = { ...view, ...changes };
  return {
    item: rowOf(handoff, 'mia@acme'),
    events: [...events],
  };
}

const created: ThreadEvent = {
  kind: 'created',
  version: 1,
  actor: 'sender',
  author: 'claude-code',
  at: AT,
  summary: 'Fix the parser',
  intent: 'propose_action',
  proposedAction: { description: 'Rewrite it', target_files: ['src/a.ts', 'src/b.ts'], rationale: 'It is slow' },
  message: {
    messageId: 'm1',
    role: 'ROLE_USER',
    parts: [
      { text: 'The parser is slow.\nSee the diff.' },
      artifactPart({ type: 'file_diff', path: 'src/a.ts', diff: '-old\n+new\n' }),
      artifactPart({ type: 'file_ref', path: 'src/a.ts', lines: [1, 5] }),
    ],
  },
};
const declined: ThreadEvent = {
  kind: 'status',
  version: 2,
  actor: 'recipient',
  author: 'human',
  at: AT,
  state: 'declined',
  transition: 'decline',
  reason: 'Not before Monday',
};

describe('a thread as text', () => {
  it('says what it is about, then what was said and done', () => {
    expect(threadText(thread([created, declined]))).toBe(
      [
        'Fix the parser',
        '',
        'Handoff  01a22cfc-a930-75ab-9c7b-963af86fe1e4',
        'From     frank@acme',
        'To       mia@acme',
        'State    declined',
        'Intent   propose action',
        '',
        '2026-11-30 14:05  frank@acme (claude-code)',
        '  The parser is slow.',
        '  See the diff.',
        '  [diff] src/a.ts',
        '    -old',
        '    +new',
        '  [file] src/a.ts:1-5',
        '  Action  Rewrite it',
        '  Why     It is slow',
        '  Files   src/a.ts',
        '          src/b.ts',
        '',
        '2026-11-30 14:05  mia@acme (human): declined',
        '  Not before Monday',
      ].join('\n'),
    );
  });

  it('says how often the work was handed on before, where it was', () => {
    expect(threadText(thread([created], { hops: 3 }))).toContain(
      '\nHops     3 handoffs from agent to agent, with this one\n',
    );
    expect(threadText(thread([created]))).not.toContain('Hops');
  });

  it('names what is sealed, and shows nothing of it', () => {
    const mediaType = 'application/vnd.example.sealed+json';
    const parts = [
      { text: 'ciphertext', mediaType, filename: 'for-mia' },
      { data: { c: 'ciphertext' }, mediaType },
    ];
    const text = threadText(thread([{ ...created, message: { ...created.message, parts } }]));
    expect(text).toContain(`[${mediaType}] for-mia 10 bytes, not opened`);
    expect(text).toContain(`[${mediaType}] 18 bytes, not opened`);
    expect(text).not.toContain('ciphertext');
  });

  it('shows how far the other side has got with what one wrote oneself', () => {
    expect(threadText(thread([created], { role: 'sender', state: 'pending' }))).toContain(
      'frank@acme (claude-code)  queued',
    );
  });

  it('lets nothing through that a terminal would obey, from whatever field', () => {
    const evil = '\u001b]0;owned\u0007\u202e';
    const text = threadText(
      thread(
        [
          {
            ...created,
            message: {
              messageId: 'm1',
              role: 'ROLE_USER',
              parts: [
                { text: evil },
                { data: { [evil]: evil } },
                { url: `https://x.example/${evil}`, filename: evil },
                { raw: 'AAAA', filename: evil },
                artifactPart({ type: 'link', url: 'https://x.example', title: evil }),
                artifactPart({ type: 'test_command', command: evil }),
                artifactPart({ type: 'api_contract', inline: evil, format: evil }),
                artifactPart({ type: 'test_result', command: evil, exit_code: 1, summary: evil }),
                artifactPart({ type: 'file_diff', path: evil, diff: evil }),
              ],
            },
            proposedAction: { description: evil, target_files: [evil], rationale: evil, suggested_diff: evil },
          },
          { ...declined, reason: evil },
        ],
        { summary: evil, sender: evil, recipient: evil },
      ),
    );
    expect(text).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
    expect(text.match(/␛/g)?.length).toBeGreaterThan(20);
  });
});
