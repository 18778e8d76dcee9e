import type { Kept, WriteResult } from '../../relay/contract/desk-api.ts';
import type { EgressFinding } from '../../relay/contract/outbox.ts';
import { visibleLine } from '../../relay/contract/plain-text.ts';
import { visibleHandle } from '../../relay/contract/visible-handle.ts';
import { columns } from './layout.ts';
import { RECEIPT_WORDS, STATE_WORDS } from './words.ts';

/** What became of something that was written. */
export function writeText(result: WriteResult, { peer }: { peer?: string } = {}): string {
  const to = peer === undefined ? [] : [['To', visibleHandle(peer)]];
  if ('outbox_id' in result) return [...columns([...to, ...keptRows(result)]), ...decide(result)].join('\n');
  const { task_id: id, status, state, receipt, reason } = result;
  const why = reason === undefined ? '' : ` (${visibleLine(reason)})`;
  return columns([
    ['Handoff', id],
    ...to,
    ['State', STATE_WORDS[state]],
    status === 'sent' ? ['Receipt', `${RECEIPT_WORDS[receipt]}${why}`] : ['Waits', `${status}${why}`],
  ]).join('\n');
}

function keptRows({ outbox_id: id, status, reason, findings }: Kept): string[][] {
  return [
    ['Kept', visibleLine(id)],
    [status === 'queued' ? 'Waits' : 'Held', visibleLine(reason)],
    ...findings.map((finding) => ['Found', findingLine(finding)]),
  ];
}

/** What looks like a secret, without it. */
export function findingLine({ where, rule, masked }: EgressFinding): string {
  return visibleLine(`${rule} in ${where}: ${masked}`);
}

function decide({ status, outbox_id: id }: Kept): readonly string[] {
  if (status === 'queued') return [];
  return ['', `To send it all the same: agentrelay outbox send ${visibleLine(id)}`];
}
