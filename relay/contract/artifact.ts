import { z } from 'zod';
import type { DataPart, Part } from './a2a.ts';

/** The media type that marks a data part as one of ours (docs/extension.md, Typed artifacts). */
export const ARTIFACT_MEDIA_TYPE = 'application/vnd.agentrelay.artifact+json';

/** A unified diff; `path` when it is about one file. */
export const fileDiffSchema = z.strictObject({
  type: z.literal('file_diff'),
  path: z.string().min(1).exactOptional(),
  diff: z.string().min(1),
});
/** A place in a repository. `lines` is `[first, last]`, counted from 1. */
export const fileRefSchema = z.strictObject({
  type: z.literal('file_ref'),
  path: z.string().min(1),
  git_sha: z
    .string()
    .regex(/^[0-9a-f]{7,64}$/)
    .exactOptional(),
  lines: z.tuple([z.int().positive(), z.int().positive()]).exactOptional(),
});
/** A command that shows the problem or its repair. It is shown and copied; nothing runs it by itself. */
export const testCommandSchema = z.strictObject({
  type: z.literal('test_command'),
  command: z.string().min(1),
  cwd: z.string().exactOptional(),
});
/** An interface between the two sides: by URL, or inline. */
export const apiContractSchema = z
  .strictObject({
    type: z.literal('api_contract'),
    schema_url: z.url().exactOptional(),
    inline: z.string().min(1).exactOptional(),
    format: z.string().min(1),
  })
  .refine((c) => (c.schema_url === undefined) !== (c.inline === undefined), {
    error: 'An api_contract has either schema_url or inline.',
  });
export const linkSchema = z.strictObject({ type: z.literal('link'), url: z.url(), title: z.string().exactOptional() });
export const testResultSchema = z.strictObject({
  type: z.literal('test_result'),
  command: z.string().min(1),
  exit_code: z.int(),
  passed: z.int().nonnegative().exactOptional(),
  failed: z.int().nonnegative().exactOptional(),
  summary: z.string().exactOptional(),
});

/** What we write. What we read may be of a type that we do not know: it is kept and shown as data. */
export const typedArtifactSchema = z.discriminatedUnion('type', [
  fileDiffSchema,
  fileRefSchema,
  testCommandSchema,
  apiContractSchema,
  linkSchema,
  testResultSchema,
]);
export type TypedArtifact = z.infer<typeof typedArtifactSchema>;

/** The part that carries a typed artifact: the sender's in `message.parts`, the recipient's in `artifacts`. */
export function artifactPart(artifact: TypedArtifact): DataPart {
  return { data: artifact, mediaType: ARTIFACT_MEDIA_TYPE };
}

/** The typed artifact in a part; undefined when the part is something else, or of a type we do not know. */
export function readArtifactPart(part: Part): TypedArtifact | undefined {
  if (!('data' in part) || part.mediaType !== ARTIFACT_MEDIA_TYPE) return undefined;
  return typedArtifactSchema.safeParse(part.data).data;
}

/** The `type` that a part of ours declares, known or not. */
export function artifactType(part: Part): string | undefined {
  if (!('data' in part) || part.mediaType !== ARTIFACT_MEDIA_TYPE) return undefined;
  const { data } = part;
  return typeof data === 'object' && data !== null && 'type' in data && typeof data['type'] === 'string'
    ? data['type']
    : undefined;
}
