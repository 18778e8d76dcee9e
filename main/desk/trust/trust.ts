import { z } from 'zod';

/** What a teammate's agent may do here, and what `trust.yaml` says of whom (docs/reference/trust-yaml.md). */

/** What to do with what an unknown sender sends. */
export const unknownPolicySchema = z.enum(['reject', 'hold', 'allow_with_default_trust']);
export type UnknownPolicy = z.infer<typeof unknownPolicySchema>;

export const liveSchema = z.enum(['auto', 'ask', 'never']);
export type Live = z.infer<typeof liveSchema>;

/** All that is kept for a teammate. A local agent works under these, on what that teammate sends. */
export interface Grants {
  /** May read files without asking. */
  readonly auto_read: boolean;
  /** May run tests without asking. */
  readonly auto_test: boolean;
  /** May write there without asking. A trailing `/` is a folder; `*` is a character like any other. */
  readonly auto_write_paths: readonly string[];
  /** Tools that a human has to approve each time, by their names. */
  readonly require_approval: readonly string[];
  /** Whether a pairing that is asked for begins by itself. */
  readonly live: Live;
}

/** Where something is said: a line of the file, counted from 1, and the path of the key in dots. */
export interface Rule {
  readonly path: string;
  readonly line: number;
}

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

/** Something that is wrong with the file, or that means nothing in it. */
export interface Finding {
  /** Counted from 1. */
  readonly line: number;
  /** One sentence that says what to do. */
  readonly message: string;
}

/** What reading the file came to. One error is enough for nothing in it to count. */
export type TrustState =
  | { readonly kind: 'good'; readonly trust: Trust; readonly warnings: readonly Finding[] }
  | { readonly kind: 'bad'; readonly errors: readonly Finding[] };
