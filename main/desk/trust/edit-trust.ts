import { isDeepStrictEqual } from 'node:util';
import { isMap, isNode, isSeq, parseDocument, type Document } from 'yaml';
import type { TrustChange } from '../../../relay/contract/trust.ts';
import { keepLines } from './keep-lines.ts';

/** A change to `trust.yaml`. Handles are `name@alias`, in lower case. */
export type TrustEdit = TrustChange | { readonly kind: 'block' | 'unblock'; readonly handle: string };
type GrantChanges = Extract<TrustChange, { kind: 'defaults' }>['grants'];

/** What a new file says. */
export const NEW_TRUST = `# yaml-language-server: $schema=./trust.schema.json
# Who may reach your agents, and what their words may lead to.
# This file is yours: AgentRelay changes only the lines that you change in its window, and keeps everything else.
# "agentrelay trust explain <handle>" says which line decides.
version: 1

# What a teammate may do where nothing else is said of them.
defaults:
  auto_read: false
  auto_test: false
  auto_write_paths: []
  require_approval: [Edit, Write, Bash]
  live: ask

# name@relay: what differs from the defaults
teammates: {}

# reject, hold (you decide each time) or allow_with_default_trust
unknown_teammates:
  policy: hold

blocked: []
`;

/**
 * The file with one change. Comments, order and unknown keys stay as they are.
 * @param text of a file that can be read (read-trust.ts): of one that cannot, nothing is changed by a program
 */
export function editTrust(text: string, edit: TrustEdit): string {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const lines = text.slice(mark.length);
  // a file of Windows stays one
  const isWindows = lines.includes('\r\n') && !/(?<!\r)\n/.test(lines);
  const after = editLines(isWindows ? lines.replaceAll('\r\n', '\n') : lines, edit);
  return mark + (isWindows ? after.replaceAll('\n', '\r\n') : after);
}
const BYTE_ORDER_MARK = '\ufeff';

function editLines(text: string, edit: TrustEdit): string {
  const document = parseDocument(text);
  const before = write(document, text);
  apply(document, edit);
  const after = write(document, text);
  const kept = keepLines(text, before, after);
  // lines of two hands, side by side, could say something else than was meant
  return kept === after || says(kept, document.toJS()) ? kept : after;
}

/** As the library writes it, with the indentation of the person. */
function write(document: Document, text: string): string {
  const indent = /^ +(?=[^\s#-])/m.exec(text)?.[0].length ?? 2;
  const indentSeq = !/^( *)[^\s#-].*\n\1- /m.test(text);
  return document.toString({ lineWidth: 0, flowCollectionPadding: false, indent, indentSeq });
}

function says(text: string, value: unknown): boolean {
  const document = parseDocument(text);
  return document.errors.length === 0 && isDeepStrictEqual(document.toJS(), value);
}

function apply(document: Document, edit: TrustEdit): void {
  switch (edit.kind) {
    case 'teammate':
      change(document, ['teammates', keyOf(document, edit.handle)], edit.grants);
      return;
    case 'defaults':
      change(document, ['defaults'], edit.grants);
      return;
    case 'forget':
      if (isMap(document.get('teammates'))) document.deleteIn(['teammates', keyOf(document, edit.handle)]);
      return;
    case 'unknown':
      if (!isMap(document.get('unknown_teammates'))) setMap(document, ['unknown_teammates']);
      document.setIn(['unknown_teammates', 'policy'], edit.policy);
      return;
    case 'block':
      if (!isSeq(document.get('blocked'))) fill(document, ['blocked'], [edit.handle]);
      else if (blockedAt(document, edit.handle) < 0) document.addIn(['blocked'], edit.handle);
      return;
    case 'unblock':
      // it may stand there more than once
      for (let at = blockedAt(document, edit.handle); at >= 0; at = blockedAt(document, edit.handle)) {
        document.deleteIn(['blocked', at]);
      }
      emptyList(document, 'blocked');
  }
}

function change(document: Document, path: readonly string[], grants: GrantChanges): void {
  const entry = document.getIn(path);
  // of an entry without anything, `frank@acme:` or `{}`, one that can hold something is made
  if (!isMap(entry) || entry.items.length === 0) setMap(document, path);
  const parent = document.getIn(path.slice(0, -1));
  if (isMap(parent)) parent.flow = false;
  for (const [name, value] of Object.entries(grants)) {
    if (value === null) document.deleteIn([...path, name]);
    else document.setIn([...path, name], Array.isArray(value) ? flow(document, value) : value);
  }
}

/** Puts an empty mapping at a path, in one that is made where nothing, or `teammates:` alone, stands there. */
function setMap(document: Document, [name = '', key]: readonly string[]): void {
  if (key !== undefined && !isMap(document.get(name))) fill(document, [name], {});
  fill(document, key === undefined ? [name] : [name, key], {});
}

/** Puts a collection at a path. What somebody has noted where nothing stood is kept above it. */
function fill(document: Document, path: readonly string[], value: object): void {
  const before = document.getIn(path, true);
  const node = document.createNode(value);
  const note = isNode(before) ? (before.comment ?? before.commentBefore) : undefined;
  if (note) node.commentBefore = note;
  document.setIn(path, node);
}

/** A list without anything left is written on one line, behind which its notes stand. */
function emptyList(document: Document, name: string): void {
  const list = document.get(name);
  if (!isSeq(list) || list.items.length > 0 || list.flow === true) return;
  const node = document.createNode([]);
  const notes = [list.commentBefore, list.comment].flatMap((note) => note?.split('\n') ?? []);
  if (notes.length > 0) node.comment = notes.join(' ');
  document.set(name, node);
}

/** A list on one line, as people write short ones. */
function flow(document: Document, value: readonly unknown[]) {
  const node = document.createNode(value);
  if (isSeq(node)) node.flow = true;
  return node;
}

/** The handle as the file spells it, whose letter case may differ. */
function keyOf(document: Document, handle: string): string {
  const teammates = document.get('teammates');
  if (!isMap(teammates)) return handle;
  const known = teammates.items.map(({ key }) => String(key)).find((key) => key.toLowerCase() === handle);
  return known ?? handle;
}

function blockedAt(document: Document, handle: string): number {
  const blocked = document.get('blocked');
  if (!isSeq(blocked)) return -1;
  return blocked.items.findIndex((item) => String(item).toLowerCase() === handle);
}
