import type { Artifact, Message, Task } from '../../../relay/contract/a2a.ts';

/** A Message with every member and every kind of part that the official SDK can carry. */
export const MESSAGE: Message = {
  messageId: 'm-1',
  contextId: 'c-1',
  taskId: 't-1',
  role: 'ROLE_USER',
  parts: [
    { text: 'Grüße \u{1f600} "quoted"\nline', mediaType: 'text/markdown' },
    { raw: '+/8=', filename: 'a.bin', mediaType: 'application/octet-stream' },
    { url: 'https://example.com/y.pdf', filename: 'y.pdf', mediaType: 'application/pdf', metadata: { page: 1 } },
    { data: { type: 'link', url: 'https://example.com' }, mediaType: 'application/vnd.agentrelay.artifact+json' },
    { data: [1, 'x', { deep: [null, 1.5e-7] }] },
    { data: false },
  ],
  metadata: { k: { list: [1, null, 'é'] }, 'urn:agentrelay:handoff:1': { repo: 'web' } },
  extensions: ['urn:agentrelay:handoff:1'],
  referenceTaskIds: ['t-0'],
};

/** An Artifact with every member. */
export const ARTIFACT: Artifact = {
  artifactId: 'a-1',
  name: 'reply',
  description: 'What came out',
  parts: [{ text: 'done' }],
  metadata: { k: 1 },
  extensions: ['urn:x'],
};

/** A Task with every member. */
export const TASK: Task = {
  id: 't-1',
  contextId: 'c-1',
  status: {
    state: 'TASK_STATE_INPUT_REQUIRED',
    message: { ...MESSAGE, messageId: 'm-2', role: 'ROLE_AGENT' },
    timestamp: '2026-01-31T12:00:00.000Z',
  },
  artifacts: [ARTIFACT],
  history: [MESSAGE],
  metadata: { 'urn:agentrelay:handoff:1': { state: 'input_required', version: 3 } },
};
