import { COMMANDS, type CommandInput } from '../../../relay/contract/desk-api.ts';
import { checked } from '../checked.ts';
import type { Audit } from './audit.ts';
import type { AuditFilter } from './rows.ts';

export interface AuditCommandsOptions {
  readonly audit: Audit;
  /** The handle of the account that is meant. INVALID_PARAMS when it is none of ours. */
  readonly accountOf: (as: string) => string;
  /** The full form of a handle. */
  readonly fullHandle: (handle: string) => string;
}

/** The page that people see. */
const DEFAULT_PAGE = 50;

/** The commands of the desk that read its audit log. */
export function createAuditCommands({ audit, accountOf, fullHandle }: AuditCommandsOptions) {
  function filterOf({ since, until, as, from, action }: CommandInput<'listAudit'>): AuditFilter {
    const account = as && accountOf(as);
    return { since, until, account, peer: from && fullHandle(from), actions: action };
  }

  return {
    listAudit: checked(COMMANDS.listAudit, async ({ limit = DEFAULT_PAGE, cursor, ...wanted }) => {
      const { rows, nextCursor } = audit.list(filterOf(wanted), { limit, cursor });
      return { rows: [...rows], next_cursor: nextCursor };
    }),

    exportAudit: checked(COMMANDS.exportAudit, async ({ format, limit, cursor, ...wanted }, surface) => {
      const { text, nextCursor } = audit.exportPage(filterOf(wanted), { format, limit, cursor });
      // after it, so that the newest rows are those that were asked for
      if (!cursor) audit.note({ action: 'audit_exported', actor: surface, detail: { format } });
      return { text, next_cursor: nextCursor };
    }),

    verifyAudit: checked(COMMANDS.verifyAudit, () => audit.verify()),
  };
}
