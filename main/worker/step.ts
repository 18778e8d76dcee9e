import { z } from 'zod';
import { artifactPart, typedArtifactSchema } from '../../relay/contract/artifact.ts';
import { assertNever } from '../../relay/contract/assert-never.ts';
import type { Json, JsonObject } from '../../relay/contract/json.ts';
import { artifactName } from '../desk/requests.ts';

/** What a command may say in a line of its output (docs/how-to/answer-handoffs-with-a-script.md, Answer in lines). */

const text = z.string().min(1);
const stepSchemas = {
  message: z.strictObject({ type: z.literal('message'), text }),
  artifact: z
    .strictObject({
      type: z.literal('artifact'),
      id: z.string().min(1).max(256).exactOptional(),
      name: z.string().min(1).max(256).exactOptional(),
      artifact: typedArtifactSchema.exactOptional(),
      text: text.exactOptional(),
    })
    .refine((line) => (line.artifact === undefined) !== (line.text === undefined), {
      error: 'has either artifact or text',
    }),
  question: z.strictObject({ type: z.literal('question'), text }),
  complete: z.strictObject({ type: z.literal('complete'), summary: text.exactOptional() }),
  fail: z.strictObject({ type: z.literal('fail'), reason: text.max(4096) }),
} as const;
const typeSchema = z.looseObject({ type: z.enum(['message', 'artifact', 'question', 'complete', 'fail']) });

export type Step = z.infer<(typeof stepSchemas)[keyof typeof stepSchemas]>;

/** Reads a line of output. `other`: it is none of ours; `wrong`: it is meant to be one. */
export type ReadStep =
  | { readonly kind: 'step'; readonly step: Step }
  | { readonly kind: 'other' }
  | { readonly kind: 'wrong'; readonly why: string };

export function readStep(line: string): ReadStep {
  const known = typeSchema.safeParse(parseJson(line)).data;
  if (known === undefined) return { kind: 'other' };
  const read = z.safeParse<z.ZodType<Step>>(stepSchemas[known.type], known);
  if (read.success) return { kind: 'step', step: read.data };
  const [issue] = read.error.issues;
  const field = issue?.path.join('.') ?? '';
  return { kind: 'wrong', why: `${field === '' ? known.type : field}: ${issue?.message ?? 'not understood'}` };
}

/** Whether the run has said its last word with it. */
export function isFinal({ type }: Step): boolean {
  return type === 'question' || type === 'complete' || type === 'fail';
}

/** Whose step it is, and which one: the same step of the same run is the same request, so that it is done once. */
export interface StepOf {
  readonly taskId: string;
  readonly worker: string;
  /** The number of the lease, and of the one with which this round of attempts began. */
  readonly lease: number;
  readonly round: number;
  /** Counts the steps of a run, from 1. */
  readonly number: number;
}

/** The params of `tasks/update` (docs/extension.md, What a recipient does) for a step. Pure. */
export function updateParams(step: Step, of: StepOf): JsonObject {
  return {
    task_id: of.taskId,
    session_id: of.worker,
    author: 'cli',
    idempotency_key: `lease-${of.lease}-${of.number}`,
    history_length: 0,
    ...contentOf(step, of),
  };
}

function contentOf(step: Step, of: StepOf): JsonObject {
  switch (step.type) {
    case 'message':
      return { message: step.text, kind: 'information' };
    case 'artifact':
      return { artifacts: [toArtifact(step, of)] };
    case 'question':
      return { transition: 'ask', message: step.text };
    case 'complete':
      return { transition: 'complete', message: step.summary ?? 'Done.' };
    case 'fail':
      return { transition: 'fail', reason: step.reason };
    default:
      return assertNever(step);
  }
}

/** Without an id of its own it takes the place of what a failed attempt of the same round has left there. */
function toArtifact(
  { id, name, artifact, text: words = '' }: Extract<Step, { type: 'artifact' }>,
  { round, number }: StepOf,
): Json {
  const part = artifact === undefined ? { text: words } : { ...artifactPart(artifact) };
  const called = name ?? (artifact === undefined ? undefined : artifactName(artifact));
  return {
    artifactId: id ?? `artifact-${round}-${number}`,
    ...(called !== undefined && { name: called }),
    parts: [part],
  };
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
