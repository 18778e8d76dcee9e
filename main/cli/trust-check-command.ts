import { readTrust } from '../desk/trust/read-trust.ts';
import type { Command } from './command.ts';
import { findingText } from './trust-text.ts';

/** `agentrelay trust check <file>` */
export const trustCheck: Command = {
  operands: ['file'],
  summary: 'Whether a file would do as trust.yaml; exit code 1 where not. The app need not run',
  flags: {},
  prepare: async ({ operands: [file = ''], readText }) => {
    const state = readTrust(await readText(file));
    const usable = state.kind === 'good';
    const findings = state.kind === 'good' ? state.warnings : state.errors;
    const name = file === '-' ? 'stdin' : file;
    const text = [
      ...findings.map((finding) => findingText(name, finding)),
      usable ? 'It can be used.' : 'It cannot be used: as trust.yaml it would have everything held.',
    ].join('\n');
    return {
      kind: 'alone',
      act: async ({ out }) => out({ json: { usable, findings }, text, ...(!usable && { isBad: true }) }),
    };
  },
};
