import type { Grants, Rule, TrustFinding, UnknownPolicy } from '../../../relay/contract/trust.ts';

/** What `trust.yaml` says of whom (docs/reference/trust-yaml.md). */

/** An entry of a teammate: what it says over the defaults. */
export interface Entry {
  readonly rule: Rule;
  readonly grants: Partial<Grants>;
}

/** A `trust.yaml` that was read without an error. */
export interface Trust {
  readonly defaults: Grants;
  /** By handle, `name@alias`, in lower case. */
  readonly teammates: ReadonlyMap<string, Entry>;
  readonly unknown: { readonly policy: UnknownPolicy; readonly rule: Rule };
  /** By handle, with the line that says so. */
  readonly blocked: ReadonlyMap<string, Rule>;
}

/** What holds where the file says nothing: nothing happens without a human. */
export const SAFEST: Grants = {
  auto_read: false,
  auto_test: false,
  auto_write_paths: [],
  require_approval: ['Edit', 'Write', 'Bash'],
  live: 'ask',
};

/** What reading the file came to. One error is enough for nothing in it to count. */
export type TrustState =
  | { readonly kind: 'good'; readonly trust: Trust; readonly warnings: readonly TrustFinding[] }
  | { readonly kind: 'bad'; readonly errors: readonly TrustFinding[] };
