import { describe, expect, it } from 'vitest';
import { artifactName, handoffRequest, threadMessageRequest, updateRequest } from '../../../main/desk/requests.ts';
import { ARTIFACT_MEDIA_TYPE, type TypedArtifact } from '../../../relay/contract/artifact.ts';
import { EXTENSION_URI } from '../../../relay/contract/handoff.ts';
import type { JsonObject } from '../../../relay/contract/json.ts';

const link: TypedArtifact = { type: 'link', url: 'https://example.com/spec' };
const diff: TypedArtifact = { type: 'file_diff', path: 'src/limit.ts', diff: '@@' };
const human = { key: 'k1', author: 'human' } as const;

describe('a handoff', () => {
  it('is a message with the body first, the artifacts behind it, and the rest in our metadata', () => {
    const action = { description: 'Fix it', target_files: ['src/limit.ts'], rationale: 'It breaks' };
    const input = {
      to: 'alice',
      body: 'The limiter throws',
      intent: 'propose_action',
      proposed_action: action,
      artifacts: [diff, link],
    } as const;
    expect(handoffRequest({ ...input, artifacts: [...input.artifacts] }, 'alice@acme', human)).toEqual({
      message: {
        messageId: 'k1',
        role: 'ROLE_USER',
        parts: [
          { text: 'The limiter throws' },
          { data: diff, mediaType: ARTIFACT_MEDIA_TYPE },
          { data: link, mediaType: ARTIFACT_MEDIA_TYPE },
        ],
        metadata: {
          [EXTENSION_URI]: {
            recipient: 'alice@acme',
            intent: 'propose_action',
            proposed_action: action,
            author: 'human',
            idempotency_key: 'k1',
          },
        },
      },
      configuration: { returnImmediately: true, historyLength: 0 },
    });
  });

  it('names the handoff that it goes on from as A2A does', () => {
    const input = { to: 'alice', body: 'And the rest?', follows: 't0' };
    const { message } = handoffRequest(input, 'alice@acme', human) as { message: JsonObject };
    expect(message).toMatchObject({ referenceTaskIds: ['t0'], parts: [{ text: 'And the rest?' }] });
    expect(message).not.toHaveProperty('taskId');
  });

  it('leaves out what was not given', () => {
    const { message } = handoffRequest({ to: 'alice', body: 'Hello' }, 'alice@acme', { key: 'k', author: 'cli' });
    expect(message).toEqual({
      messageId: 'k',
      role: 'ROLE_USER',
      parts: [{ text: 'Hello' }],
      metadata: { [EXTENSION_URI]: { recipient: 'alice@acme', author: 'cli', idempotency_key: 'k' } },
    });
  });
});

describe('a message on a thread', () => {
  const input = { task_id: 't1', body: 'Here', artifacts: [diff], kind: 'information' } as const;

  it('carries the artifacts of a sender as parts', () => {
    expect(threadMessageRequest({ ...input, artifacts: [diff] }, 'sender', human)).toMatchObject({
      message: {
        taskId: 't1',
        parts: [{ text: 'Here' }, { data: diff }],
        metadata: { [EXTENSION_URI]: { kind: 'information', author: 'human', idempotency_key: 'k1' } },
      },
    });
  });

  it('carries the artifacts of a recipient beside the message', () => {
    const request = threadMessageRequest({ ...input, artifacts: [diff] }, 'recipient', human);
    expect(request).toMatchObject({
      message: {
        parts: [{ text: 'Here' }],
        metadata: {
          [EXTENSION_URI]: {
            artifacts: [{ name: 'src/limit.ts', parts: [{ data: diff, mediaType: ARTIFACT_MEDIA_TYPE }] }],
          },
        },
      },
    });
  });
});

describe('a step', () => {
  it('carries what was given and nothing else', () => {
    expect(updateRequest({ task_id: 't1', transition: 'accept' }, human)).toEqual({
      task_id: 't1',
      transition: 'accept',
      author: 'human',
      idempotency_key: 'k1',
    });
  });

  it('carries reason, session, message and artifacts', () => {
    const input = {
      task_id: 't1',
      transition: 'complete',
      body: 'Done',
      reason: 'Because',
      session_id: 's1',
      artifacts: [diff, link],
    } as const;
    expect(updateRequest({ ...input, artifacts: [diff, link] }, { key: 'k1', author: 'codex' })).toEqual({
      task_id: 't1',
      transition: 'complete',
      author: 'codex',
      idempotency_key: 'k1',
      session_id: 's1',
      reason: 'Because',
      message: 'Done',
      artifacts: [
        {
          artifactId: expect.stringMatching(/^artifact-1-[0-9a-f]{16}$/),
          name: 'src/limit.ts',
          parts: [{ data: diff, mediaType: ARTIFACT_MEDIA_TYPE }],
        },
        {
          artifactId: expect.stringMatching(/^artifact-2-[0-9a-f]{16}$/),
          name: 'https://example.com/spec',
          parts: [{ data: link, mediaType: ARTIFACT_MEDIA_TYPE }],
        },
      ],
    });
  });

  it('is the same request when it is repeated, and has other artifact ids when it is another call', () => {
    const input = { task_id: 't1', transition: 'ask', artifacts: [diff] } as const;
    const request = (key: string) => updateRequest({ ...input, artifacts: [diff] }, { key, author: 'human' });
    expect(request('k1')).toEqual(request('k1'));
    expect(request('k1')['artifacts']).not.toEqual(request('k2')['artifacts']);
  });
});

describe('the name of an artifact', () => {
  it.each<[TypedArtifact, string]>([
    [diff, 'src/limit.ts'],
    [{ type: 'file_diff', diff: '@@' }, 'diff'],
    [{ type: 'file_ref', path: 'README.md', lines: [1, 9] }, 'README.md'],
    [link, 'https://example.com/spec'],
    [{ ...link, title: 'The spec' }, 'The spec'],
    [
      { type: 'api_contract', schema_url: 'https://example.com/v3.json', format: 'openapi' },
      'https://example.com/v3.json',
    ],
    [{ type: 'api_contract', inline: '{}', format: 'openapi' }, 'openapi contract'],
    [{ type: 'test_command', command: 'npm test' }, 'npm test'],
    [{ type: 'test_result', command: 'npm test', exit_code: 1 }, 'npm test'],
  ])('%j: %s', (artifact, name) => {
    expect(artifactName(artifact)).toBe(name);
  });
});
