import { COMMANDS } from '../../main/cli/commands.ts';
import { helpText } from '../../main/cli/help.ts';
import { REASONS } from '../../relay/contract/reasons.ts';
import { RULES } from '../../relay/handoffs/machine.ts';
import { ERROR_FORMS } from '../../relay/wire/errors.ts';
import { AUDIT_ACTIONS } from './audit-actions.ts';
import { conformanceCounts, conformanceTables } from './conformance.ts';
import { MEANINGS } from './reasons.ts';
import { table } from './table.ts';

/** The parts of the documentation that are made from the code, by the name that stands in their marks. */
export const REGIONS: Readonly<Record<string, () => string>> = {
  errors: errorTable,
  transitions: transitionTable,
  commands: commandHelp,
  'audit-actions': auditActionTable,
  conformance: conformanceTables,
  'conformance-counts': conformanceCounts,
};

function errorTable(): string {
  return table(
    ['reason', 'JSON-RPC', 'HTTP', 'in a JSON-RPC answer', 'gRPC status', 'meaning'],
    REASONS.map((reason) => {
      const { code, httpStatus, rpcStatus, grpcStatus } = ERROR_FORMS[reason];
      return [
        `\`${reason}\``,
        String(code),
        String(httpStatus),
        String(rpcStatus),
        `\`${grpcStatus}\``,
        MEANINGS[reason],
      ];
    }),
  );
}

function transitionTable(): string {
  return table(
    ['transition', 'by', 'from', 'to'],
    Object.entries(RULES).map(([name, { by, from, to }]) => [
      `\`${name}\``,
      by,
      from.map((state) => `\`${state}\``).join(', '),
      `\`${to}\``,
    ]),
  );
}

function auditActionTable(): string {
  return table(
    ['action', 'what happened'],
    Object.entries(AUDIT_ACTIONS).map(([action, meaning]) => [`\`${action}\``, meaning]),
  );
}

function commandHelp(): string {
  const block = (text: string): string => `\`\`\`text\n${text}\n\`\`\``;
  // what every command takes stands in the overview
  const own = (name: string): string => helpText(name).split('\n\nEvery command takes')[0] ?? '';
  return [block(helpText()), ...Object.keys(COMMANDS).map((name) => `### ${name}\n\n${block(own(name))}`)].join('\n\n');
}
