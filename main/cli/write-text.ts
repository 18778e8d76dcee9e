import type { WriteResult } from '../../relay/contract/desk-api.ts';
import { visibleLine } from '../../relay/contract/plain-text.ts';
import { visibleHandle } from '../../relay/contract/visible-handle.ts';
import { columns } from './layout.ts';
import { RECEIPT_WORDS, STATE_WORDS } from './words.ts';

/** What became of something that was written. */
export function writeText(
  { task_id: id, status, state, receipt, reason }: WriteResult,
  { peer }: { peer?: string } = {},
) {
  const why = reason === undefined ? '' : ` (${visibleLine(reason)})`;
  return columns([
    ['Handoff', id],
    ...(peer === undefined ? [] : [['To', visibleHandle(peer)]]),
    ['State', STATE_WORDS[state]],
    status === 'sent' ? ['Receipt', `${RECEIPT_WORDS[receipt]}${why}`] : ['Waits', `${status.replace('_', ' ')}${why}`],
  ]).join('\n');
}
