import type { AuditDetail, AuditEntry } from '../../../relay/contract/audit.ts';

/** Longest text in a row, characters. */
const MAX_TEXT = 300;

/**
 * An entry as it is stored: every text well-formed, since a hash is taken of it, and not long; paths begin at the home
 * folder, whose name is nobody's business where the log is shown around.
 * @param homeFolder of the user, absolute
 */
export function tidyEntry(entry: AuditEntry, homeFolder: string): AuditEntry {
  const { action, actor, account, peer, ref, detail } = entry;
  const text = (value: string): string => {
    const wellFormed = value.toWellFormed().replaceAll(homeFolder, '~');
    return wellFormed.length > MAX_TEXT ? `${wellFormed.slice(0, MAX_TEXT - 1).toWellFormed()}…` : wellFormed;
  };
  return {
    action,
    actor,
    ...(account !== undefined && { account: text(account) }),
    ...(peer !== undefined && { peer: text(peer) }),
    ...(ref !== undefined && { ref: text(ref) }),
    ...(detail !== undefined && { detail: mapTexts(detail, text) }),
  };
}

function mapTexts(detail: AuditDetail, text: (value: string) => string): AuditDetail {
  return Object.fromEntries(
    Object.entries(detail).map(([name, value]) => {
      if (typeof value === 'string') return [name, text(value)];
      return [name, typeof value === 'object' ? value.map(text) : value];
    }),
  );
}
