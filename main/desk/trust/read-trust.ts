import { isAlias, isMap, isScalar, isSeq, LineCounter, parseAllDocuments, visit, type Document, type Node } from 'yaml';
import type { z } from 'zod';
import { parseHandle } from '../../../relay/contract/handle.ts';
import {
  grantsSchema,
  unknownPolicySchema,
  type Grants,
  type Rule,
  type TrustFinding,
} from '../../../relay/contract/trust.ts';
import { SAFEST, type Entry, type Trust, type TrustState } from './trust.ts';

/** More is no list of rules that a person has written; it would only keep the desk busy. Characters. */
export const LARGEST_FILE = 128_000;
/** Errors without an excerpt of the file: to make one, the parser goes through all of it, for each error. */
const PARSING = { uniqueKeys: true, merge: false, schema: 'core', prettyErrors: false } as const;
/** More findings help nobody. */
const MOST_FINDINGS = 20;

const GRANTS: { readonly [K in keyof Grants]: z.ZodType<Grants[K]> } = grantsSchema.shape;
/** What the value of each key has to be, for those who wrote something else. */
const WANTED: { readonly [K in keyof Grants]: string } = {
  auto_read: 'true or false',
  auto_test: 'true or false',
  auto_write_paths: 'a list of paths',
  require_approval: 'a list of names of tools',
  live: 'auto, ask or never',
};
const TOP_LEVEL: ReadonlySet<string> = new Set(['version', 'defaults', 'teammates', 'unknown_teammates', 'blocked']);

/** Reads the text of a `trust.yaml`. Never throws; the first error makes all of it count for nothing. */
export function readTrust(text: string): TrustState {
  try {
    return read(text);
  } catch {
    // brackets in brackets, thousands deep: the parser's stack has an end
    return bad([
      { line: 1, message: 'The file cannot be read as YAML. Restore it, or begin anew: agentrelay trust reset.' },
    ]);
  }
}

function read(text: string): TrustState {
  if (text.length > LARGEST_FILE) {
    return bad([
      { line: 1, message: `The file has more than ${LARGEST_FILE} characters. Keep rules and comments alone.` },
    ]);
  }
  if (isDeep(text))
    return bad([{ line: 1, message: 'The file nests its values too deep. It needs no more than four levels.' }]);
  const lines = new LineCounter();
  // as many documents as it has: what follows a separator would otherwise be passed over in silence
  const documents = parseAllDocuments(text, { ...PARSING, lineCounter: lines });
  const [document, second] = 'empty' in documents ? [] : documents;
  if (document === undefined) return bad([{ line: 1, message: 'The file is empty. It needs at least "version: 1".' }]);
  const lineAt = (offset: number): number => Math.max(1, lines.linePos(offset).line);
  const errors = document.errors.map(({ pos, message }) => ({ line: lineAt(pos[0]), message: firstSentence(message) }));
  if (second !== undefined) {
    errors.push({ line: lineAt(second.range[0]), message: 'A second document begins here. Keep one, without "---".' });
  }
  if (errors.length > 0) return bad(errors);
  return new Reader(document, lineAt).read();
}

function bad(errors: readonly TrustFinding[]): TrustState {
  return { kind: 'bad', errors: errors.slice(0, MOST_FINDINGS) };
}

/**
 * Whether brackets, or indicators on one line, stand in each other by the hundred: that is no list of rules, and the parser
 * would take seconds for it. What is quoted counts too, which does no harm below a hundred.
 */
function isDeep(text: string): boolean {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    if (depth > 100) return true;
    if (depth < 0) depth = 0;
  }
  // what stands in a comment nests nothing
  return /^(?![ \t]*#).*?(?:[-?:][ \t]+){16}/m.test(text);
}

/** Without the excerpt of the file that the parser adds. */
function firstSentence(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '').slice(0, 200);
}

/** Reads one document that is well-formed YAML. */
class Reader {
  readonly #document: Document;
  readonly #lineAt: (offset: number) => number;
  readonly #errors: TrustFinding[] = [];
  readonly #warnings: TrustFinding[] = [];

  constructor(document: Document, lineAt: (offset: number) => number) {
    this.#document = document;
    this.#lineAt = lineAt;
  }

  read(): TrustState {
    this.#refuseAliases();
    const members = this.#members(this.#document.contents, 'The file');
    // nothing else is worth a word then
    if (this.#errors.length > 0) return bad(this.#errors);
    for (const { key, line } of members) {
      if (!TOP_LEVEL.has(key))
        this.#warnings.push({ line, message: `"${key}" means nothing here, and changes nothing.` });
    }
    const member = (name: string): Member | undefined => members.find(({ key }) => key === name);
    this.#version(member('version'));
    const trust: Trust = {
      defaults: { ...SAFEST, ...this.#grants(member('defaults')) },
      teammates: this.#teammates(member('teammates')),
      unknown: this.#unknown(member('unknown_teammates')),
      blocked: this.#blocked(member('blocked')),
    };
    return this.#errors.length > 0 ? bad(this.#errors) : { kind: 'good', trust, warnings: this.#warnings };
  }

  /** One value in many places is how a small file becomes a large one; and nobody sees at a line what it says. */
  #refuseAliases(): void {
    visit(this.#document, {
      Node: (_key, node) => {
        if (isAlias(node)) this.#refuse(node, 'Write the value itself here, not an alias of another one.');
      },
    });
  }

  #version(member: Member | undefined): void {
    if (member === undefined) this.#errors.push({ line: 1, message: 'Say "version: 1" in the first line.' });
    else if (scalar(member.value) !== 1) {
      this.#errors.push({ line: member.line, message: 'This AgentRelay reads version 1 of the file, and no other.' });
    }
  }

  #unknown(member: Member | undefined): Trust['unknown'] {
    const closed = { policy: 'hold', rule: { path: 'unknown_teammates.policy', line: member?.line ?? 1 } } as const;
    if (member === undefined) return closed;
    for (const { key, value, line } of this.#members(member.value, '"unknown_teammates"')) {
      if (key !== 'policy') this.#warnings.push({ line, message: `"${key}" means nothing in unknown_teammates.` });
      else {
        const policy = unknownPolicySchema.safeParse(scalar(value));
        if (policy.success) return { policy: policy.data, rule: { path: 'unknown_teammates.policy', line } };
        this.#errors.push({ line, message: `"policy" is one of ${unknownPolicySchema.options.join(', ')}.` });
      }
    }
    return closed;
  }

  #teammates(member: Member | undefined): ReadonlyMap<string, Entry> {
    const teammates = new Map<string, Entry>();
    for (const one of this.#members(member?.value, '"teammates"')) {
      const handle = this.#handle(one.key, one.line);
      if (handle === undefined) continue;
      const rule = { path: `teammates.${one.key}`, line: one.line };
      if (teammates.has(handle))
        this.#errors.push({ line: one.line, message: `${handle} stands here twice. Keep one.` });
      teammates.set(handle, { rule, grants: this.#grants(one) });
    }
    return teammates;
  }

  #blocked(member: Member | undefined): ReadonlyMap<string, Rule> {
    const blocked = new Map<string, Rule>();
    const value = member?.value;
    if (value === undefined || scalar(value) === null) return blocked;
    if (!isSeq(value)) {
      this.#refuse(value, '"blocked" is a list of handles.');
      return blocked;
    }
    for (const [index, item] of value.items.entries()) {
      const line = this.#line(item);
      const handle = this.#handle(scalar(item), line);
      if (handle !== undefined) blocked.set(handle, { path: `blocked[${index}]`, line });
    }
    return blocked;
  }

  /** What a mapping says of grants; without one, nothing. */
  #grants(member: Member | undefined): Partial<Grants> {
    const grants: { -readonly [K in keyof Grants]?: Grants[K] } = {};
    for (const { key, value, line } of this.#members(member?.value, `"${member?.key}"`)) {
      if (!isGrant(key)) this.#warnings.push({ line, message: `"${key}" means nothing here, and changes nothing.` });
      else this.#grant(grants, key, value, line);
    }
    return grants;
  }

  #grant<K extends keyof Grants>(grants: { [P in K]?: Grants[P] }, key: K, value: unknown, line: number): void {
    const parsed = GRANTS[key].safeParse(isNode(value) ? value.toJS(this.#document) : value);
    if (parsed.success) grants[key] = parsed.data;
    else this.#errors.push({ line, message: `"${key}" is ${WANTED[key]}.` });
  }

  #handle(text: unknown, line: number): string | undefined {
    const parsed = typeof text === 'string' ? parseHandle(text) : undefined;
    if (parsed?.relay !== undefined) return `${parsed.name}@${parsed.relay}`;
    this.#errors.push({ line, message: 'A teammate is named by a handle: name@relay, in plain letters and digits.' });
    return undefined;
  }

  /** The members of a mapping; of nothing, none. */
  #members(node: unknown, what: string): readonly Member[] {
    if (node === undefined || node === null || scalar(node) === null) return [];
    if (!isMap(node)) {
      this.#refuse(node, `${what} holds keys and values, such as "version: 1".`);
      return [];
    }
    return node.items.flatMap(({ key, value }) => {
      const name = scalar(key);
      if (typeof name === 'string') return [{ key: name, value, line: this.#line(key) }];
      this.#refuse(key, 'A key is plain text. Put it in quotes if it looks like something else.');
      return [];
    });
  }

  #refuse(node: unknown, message: string): void {
    this.#errors.push({ line: this.#line(node), message });
  }

  #line(node: unknown): number {
    return isNode(node) && node.range ? this.#lineAt(node.range[0]) : 1;
  }
}

interface Member {
  readonly key: string;
  readonly value: unknown;
  readonly line: number;
}

function isNode(value: unknown): value is Node {
  return isMap(value) || isSeq(value) || isScalar(value) || isAlias(value);
}

function scalar(node: unknown): unknown {
  return isScalar(node) ? node.value : undefined;
}

function isGrant(key: string): key is keyof Grants {
  return Object.hasOwn(GRANTS, key);
}
