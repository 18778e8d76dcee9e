import { z } from 'zod';
import { handleSchema } from './handle.ts';

/** What a desk lets happen with what others send, by its `trust.yaml` (docs/reference/trust-yaml.md). */

/** What to do with what an unknown sender sends. */
export const unknownPolicySchema = z.enum(['reject', 'hold', 'allow_with_default_trust']);
export type UnknownPolicy = z.infer<typeof unknownPolicySchema>;

export const liveSchema = z.enum(['auto', 'ask', 'never']);
export type Live = z.infer<typeof liveSchema>;

const path = z.string().min(1).max(1024);
const tool = z.string().min(1).max(128);

/** All that is kept for a teammate. A local agent works under these, on what that teammate sends. */
export const grantsSchema = z.object({
  /** May read files without asking. */
  auto_read: z.boolean(),
  /** May run tests without asking. */
  auto_test: z.boolean(),
  /** May write there without asking. A trailing `/` is a folder; `*` is a character like any other. */
  auto_write_paths: z.array(path).max(1000).readonly(),
  /** Tools that a human has to approve each time, by their names. */
  require_approval: z.array(tool).max(1000).readonly(),
  /** Whether a pairing that is asked for begins by itself. */
  live: liveSchema,
});
export type Grants = z.infer<typeof grantsSchema>;

/** Where something is said: a line of the file, counted from 1, and the path of the key in dots. */
export const ruleSchema = z.object({ path: z.string(), line: z.int() });
export type Rule = z.infer<typeof ruleSchema>;

/** What becomes of what a peer sends, and what its words may lead to. */
export const decisionSchema = z.object({
  action: z.enum(['deliver', 'hold', 'reject']),
  /** What decided: the list of the blocked, the peer's entry, the policy for unknown ones, or a file that is of no use. */
  layer: z.enum(['blocked', 'listed', 'unknown', 'unusable']),
  /** The line that says so; of a file that is of no use the first that is wrong. */
  rule: ruleSchema,
  grants: grantsSchema,
});
export type Decision = z.infer<typeof decisionSchema>;

/** Something that is wrong with the file, or that means nothing in it. */
export const trustFindingSchema = z.object({
  /** Counted from 1. */
  line: z.int(),
  /** One sentence that says what to do. */
  message: z.string(),
});
export type TrustFinding = z.infer<typeof trustFindingSchema>;

/** The file, as it stands. */
export const trustViewSchema = z.object({
  path: z.string(),
  /** Whether it can be used. If not, everything is held, and `findings` says why; else they are what means nothing in it. */
  usable: z.boolean(),
  findings: z.array(trustFindingSchema).readonly(),
  /** For everybody of whom nothing else is said. */
  defaults: grantsSchema,
  unknown: z.object({ policy: unknownPolicySchema, rule: ruleSchema }),
  /** What is said of whom, and what comes of it together with the defaults. */
  teammates: z
    .array(z.object({ handle: z.string(), rule: ruleSchema, said: grantsSchema.partial(), grants: grantsSchema }))
    .readonly(),
  blocked: z.array(z.object({ handle: z.string(), rule: ruleSchema })).readonly(),
});
export type TrustView = z.infer<typeof trustViewSchema>;

/** What is changed of grants; null takes away what was said, so that the defaults count. */
const changesSchema = z.strictObject({
  auto_read: z.boolean().nullable().exactOptional(),
  auto_test: z.boolean().nullable().exactOptional(),
  auto_write_paths: z.array(path).max(1000).readonly().nullable().exactOptional(),
  require_approval: z.array(tool).max(1000).readonly().nullable().exactOptional(),
  live: liveSchema.nullable().exactOptional(),
});
export type GrantChanges = z.infer<typeof changesSchema>;

/** A change to the file by its owner. Who is blocked is changed by `setBlocked`, which tells the relay too. */
export const trustChangeSchema = z.discriminatedUnion('kind', [
  /** Adds a teammate, or changes what is said of one; what is not named stays. */
  z.strictObject({ kind: z.literal('teammate'), handle: handleSchema, grants: changesSchema }),
  /** Forgets a teammate, who is unknown then. */
  z.strictObject({ kind: z.literal('forget'), handle: handleSchema }),
  z.strictObject({ kind: z.literal('defaults'), grants: changesSchema }),
  z.strictObject({ kind: z.literal('unknown'), policy: unknownPolicySchema }),
]);
export type TrustChange = z.infer<typeof trustChangeSchema>;
