import type { Part } from '../../relay/contract/a2a.ts';
import { readArtifactPart, type TypedArtifact } from '../../relay/contract/artifact.ts';
import { assertNever } from '../../relay/contract/assert-never.ts';
import type { InboxItem, Thread } from '../../relay/contract/desk-api.ts';
import type { HandoffView, ProposedAction } from '../../relay/contract/handoff.ts';
import { visibleLine, visibleText } from '../../relay/contract/plain-text.ts';
import { readableText, sealedPart } from '../../relay/contract/readable-part.ts';
import { threadEntries, type ThreadEntry } from '../../relay/contract/thread.ts';
import { visibleHandle } from '../../relay/contract/visible-handle.ts';
import { columns, dateTime, indent } from './layout.ts';
import { STATE_WORDS } from './words.ts';

/** A thread to read: what it is about, then everything that was said and done, oldest first. */
export function threadText({ item, events }: Thread): string {
  const { handoff } = item;
  const entries = threadEntries(events, handoff.role).map((entry) => entryText(entry, handoff));
  return [headText(item), ...entries].join('\n\n');
}

function headText({ group, handoff }: InboxItem): string {
  const { task_id: id, sender, recipient, state, summary, intent, hops } = handoff;
  return [
    visibleLine(summary),
    '',
    ...columns([
      ['Handoff', id],
      ['From', visibleHandle(sender)],
      ['To', visibleHandle(recipient)],
      ['State', STATE_WORDS[state]],
      ...(group === 'held' ? [['Held', 'by your rules, from your agents: see agentrelay trust explain']] : []),
      ...(intent === undefined ? [] : [['Intent', intent.replaceAll('_', ' ')]]),
      ...(hops === undefined ? [] : [['Hops', `${hops} handoffs from agent to agent, with this one`]]),
    ]),
  ].join('\n');
}

function entryText(entry: ThreadEntry, handoff: HandoffView): string {
  const receipt = 'receipt' in entry && entry.receipt !== undefined ? `  ${entry.receipt.state}` : '';
  const head = `${dateTime(entry.at)}  ${whoText(entry, handoff)}${receipt}`;
  switch (entry.kind) {
    case 'message':
      return [
        head,
        ...entry.parts.map(partText),
        ...(entry.proposedAction === undefined ? [] : [proposalText(entry.proposedAction)]),
      ].join('\n');
    case 'artifacts':
      return [head, ...entry.artifacts.flatMap(({ artifact }) => artifact.parts.map(partText))].join('\n');
    case 'state':
      return [
        `${head}: ${STATE_WORDS[entry.state]}`,
        ...(entry.reason === undefined ? [] : [indent(visibleText(entry.reason), 2)]),
      ].join('\n');
    default:
      return assertNever(entry);
  }
}

function whoText({ actor, author }: ThreadEntry, { sender, recipient }: HandoffView): string {
  switch (actor) {
    case 'relay':
      return 'relay';
    case 'sender':
      return `${visibleHandle(sender)} (${author})`;
    case 'recipient':
      return `${visibleHandle(recipient)} (${author})`;
    default:
      return assertNever(actor);
  }
}

function proposalText({ description, target_files: files, rationale, suggested_diff: diff }: ProposedAction): string {
  return indent(
    [
      ...columns([
        ['Action', visibleLine(description)],
        ['Why', visibleLine(rationale)],
        ...files.map((file, at) => [at === 0 ? 'Files' : '', visibleLine(file)]),
      ]),
      ...(diff === undefined ? [] : ['Suggested', indent(visibleText(diff), 2)]),
    ].join('\n'),
    2,
  );
}

function partText(part: Part): string {
  const artifact = readArtifactPart(part);
  if (artifact !== undefined) return indent(artifactText(artifact), 2);
  const text = readableText(part);
  if (text !== undefined) return indent(visibleText(text), 2);
  const name = part.filename === undefined ? '' : ` ${visibleLine(part.filename)}`;
  if ('url' in part) return `  [file]${name} ${visibleLine(part.url)}`;
  if ('raw' in part) return `  [file]${name} ${Buffer.byteLength(part.raw, 'base64')} bytes`;
  const content = 'text' in part ? part.text : JSON.stringify(part.data);
  if (sealedPart(part) !== undefined)
    return `  [${visibleLine(part.mediaType ?? '')}]${name} ${Buffer.byteLength(content)} bytes, not opened`;
  return indent(visibleText(`[data]${name} ${content}`), 2);
}

function artifactText(artifact: TypedArtifact): string {
  switch (artifact.type) {
    case 'file_diff':
      return titled('diff', artifact.path, artifact.diff);
    case 'file_ref':
      return titled(
        'file',
        artifact.lines === undefined ? artifact.path : `${artifact.path}:${artifact.lines.join('-')}`,
      );
    case 'test_command':
      return titled('test', artifact.command);
    case 'api_contract':
      return titled('contract', artifact.schema_url ?? artifact.format, artifact.inline);
    case 'link':
      return titled('link', artifact.title === undefined ? artifact.url : `${artifact.title} ${artifact.url}`);
    case 'test_result':
      return titled('result', `${artifact.command} (exit code ${artifact.exit_code})`, artifact.summary);
    default:
      return assertNever(artifact);
  }
}

function titled(kind: string, title: string | undefined, body?: string): string {
  const head = title === undefined ? `[${kind}]` : `[${kind}] ${visibleLine(title)}`;
  return body === undefined ? head : `${head}\n${indent(visibleText(body).trimEnd(), 2)}`;
}
