import { z } from 'zod';
import { ARTIFACT_MEDIA_TYPE } from '../../relay/contract/artifact.ts';
import { EXTENSION_URI, handoffViewSchema, type HandoffView } from '../../relay/contract/handoff.ts';
import { leasedSchema } from '../../relay/contract/lease.ts';

/** What a worker hands to its command, made of the lease's answer. Pure. */

const partSchema = z.looseObject({
  text: z.string().optional(),
  data: z.unknown().optional(),
  metadata: z.looseObject({ mediaType: z.unknown().optional() }).optional(),
});
const messageSchema = z.looseObject({
  role: z.string(),
  parts: z.array(partSchema),
  metadata: z
    .looseObject({ [EXTENSION_URI]: z.looseObject({ proposed_action: z.unknown().optional() }).optional() })
    .optional(),
});
const taskSchema = z.looseObject({
  id: z.string(),
  history: z.array(messageSchema).default([]),
  status: z.looseObject({ message: messageSchema.optional() }),
  metadata: z.looseObject({ [EXTENSION_URI]: handoffViewSchema }),
});
type WireMessage = z.infer<typeof messageSchema>;
const answerSchema = leasedSchema.extend({ task: taskSchema });

/** One handoff to work on. */
export interface Work {
  readonly view: HandoffView;
  readonly lease: number;
  readonly attempt: number;
  readonly attempts: number;
  readonly leaseMs: number;
  /** One line of JSON (docs/how-to/answer-handoffs-with-a-script.md, What the command gets). */
  readonly document: string;
}

/** Reads what a relay answers to a worker that asks for work. */
export const workSchema = answerSchema.transform(toWork);

function toWork({ task, lease, attempt, attempts, lease_ms: leaseMs }: z.infer<typeof answerSchema>): Work {
  const { history, status, metadata } = task;
  const view = metadata[EXTENSION_URI];
  const all = [...history, ...(status.message === undefined ? [] : [status.message])];
  const [first] = all;
  const action = first?.metadata?.[EXTENSION_URI]?.proposed_action;
  const document = {
    task_id: view.task_id,
    sender: view.sender,
    recipient: view.recipient,
    summary: view.summary,
    ...(view.intent !== undefined && { intent: view.intent }),
    ...(action !== undefined && { proposed_action: action }),
    text: first === undefined ? '' : textOf(first),
    artifacts: first === undefined ? [] : artifactsOf(first),
    messages: all.map((message) => ({
      from: message.role === 'user' ? 'sender' : 'recipient',
      text: textOf(message),
      artifacts: artifactsOf(message),
    })),
    attempt,
    attempts,
    task,
  };
  return { view, lease, attempt, attempts, leaseMs, document: `${JSON.stringify(document)}\n` };
}

function textOf({ parts }: WireMessage): string {
  return parts.flatMap(({ text }) => (text === undefined ? [] : [text])).join('\n');
}

/** Those of our own kind, known to this version or not; everything else is in the task. */
function artifactsOf({ parts }: WireMessage): readonly unknown[] {
  return parts.flatMap(({ data, metadata }) => (metadata?.mediaType === ARTIFACT_MEDIA_TYPE ? [data] : []));
}
