import type { TrustView } from '../../../relay/contract/trust.ts';
import { SAFEST, type TrustState } from './trust.ts';

/** What a `trust.yaml` says, for clients. Of a file that is of no use: what holds then. @param path of the file */
export function viewTrust(path: string, state: TrustState): TrustView {
  if (state.kind === 'bad') {
    const rule = { path: '', line: state.errors[0]?.line ?? 1 };
    const nobody = { teammates: [], blocked: [] };
    const nothing = { defaults: SAFEST, unknown: { policy: 'hold', rule } } as const;
    return { path, usable: false, findings: state.errors, ...nothing, ...nobody };
  }
  const { defaults, unknown, teammates, blocked } = state.trust;
  return {
    path,
    usable: true,
    findings: state.warnings,
    defaults,
    unknown,
    teammates: [...teammates].map(([handle, { rule, grants }]) => ({
      handle,
      rule,
      said: grants,
      grants: { ...defaults, ...grants },
    })),
    blocked: [...blocked].map(([handle, rule]) => ({ handle, rule })),
  };
}
