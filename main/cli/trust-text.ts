import { assertNever } from '../../relay/contract/assert-never.ts';
import type { CommandOutput } from '../../relay/contract/desk-api.ts';
import { visibleLine } from '../../relay/contract/plain-text.ts';
import type { Decision, Grants, TrustFinding, TrustView } from '../../relay/contract/trust.ts';
import { visibleHandle } from '../../relay/contract/visible-handle.ts';
import { columns, indent } from './layout.ts';

/** What `trust.yaml` says, to read. */
export function trustText(view: TrustView): string {
  const { path, usable, findings, defaults, unknown, teammates, blocked } = view;
  if (!usable) {
    return [
      'The file cannot be used, so everything is held: nothing is delivered to your agents, from nobody.',
      ...findings.map((finding) => findingText(path, finding)),
      '',
      'Mend it, and what is held comes through at once. To begin anew: agentrelay trust reset',
    ].join('\n');
  }
  const known = teammates.map(({ handle }) => handle);
  return [
    visibleLine(path),
    ...findings.map((finding) => findingText(path, finding)),
    '',
    ...columns([
      ['', ...GRANT_NAMES, 'line'],
      ['defaults', ...grantCells(defaults), ''],
      ...teammates.map(({ handle, grants, rule }) => [
        visibleHandle(handle, known),
        ...grantCells(grants),
        String(rule.line),
      ]),
    ]),
    '',
    `Everybody else: ${POLICY_WORDS[unknown.policy]} (line ${unknown.rule.line})`,
    ...blocked.map(({ handle, rule }) => `Blocked: ${visibleHandle(handle, known)} (line ${rule.line})`),
  ].join('\n');
}

/** A decision, and what it rests on. */
export function decisionText(decision: CommandOutput<'explainTrust'>): string {
  const { handle, action, rule, path, grants } = decision;
  const cells = grantCells(grants);
  return [
    `What ${visibleHandle(handle)} hands over is ${ACTION_WORDS[action]}: ${whyText(decision)}.`,
    `${visibleLine(path)}:${rule.line}${rule.path === '' ? '' : ` (${visibleLine(rule.path)})`}`,
    '',
    'What their words may lead to',
    indent(columns(GRANT_NAMES.map((name, at) => [name, cells[at] ?? ''])).join('\n'), 2),
  ].join('\n');
}

/** `trust.yaml:3: what is wrong` */
export function findingText(path: string, { line, message }: TrustFinding): string {
  return `${visibleLine(path)}:${line}: ${visibleLine(message)}`;
}

const ACTION_WORDS = { deliver: 'delivered', hold: 'held until you decide', reject: 'declined' } as const;
const POLICY_WORDS = {
  reject: 'what they hand over is declined',
  hold: 'what they hand over is held until you decide',
  allow_with_default_trust: 'taken as teammates with the defaults',
} as const;

function whyText({ layer, action }: Decision): string {
  switch (layer) {
    case 'blocked':
      return 'they are blocked';
    case 'listed':
      return 'they are a teammate';
    case 'unknown':
      return action === 'deliver' ? 'they are not listed, and the unknown are let in' : 'they are not listed';
    case 'unusable':
      return 'the file has an error, which "agentrelay trust list" names';
    default:
      return assertNever(layer);
  }
}

/** What is granted, by the names of the flags that change it. */
const GRANT_NAMES = ['read', 'test', 'write', 'approve', 'live'] as const;

function grantCells(grants: Grants): readonly string[] {
  return [
    grants.auto_read ? 'on' : 'off',
    grants.auto_test ? 'on' : 'off',
    listText(grants.auto_write_paths),
    listText(grants.require_approval),
    grants.live,
  ];
}

function listText(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.map(visibleLine).join(', ');
}
