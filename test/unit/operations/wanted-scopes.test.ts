import { describe, expect, test } from 'vitest';
import { transitionSchema } from '../../../relay/contract/handoff.ts';
import type { Operation, SendOperation, UpdateOperation } from '../../../relay/operations/operation.ts';
import { wantedScopes } from '../../../relay/operations/wanted-scopes.ts';

function send(more: Partial<SendOperation> = {}, taskId?: string): SendOperation {
  const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'x' }] } as const;
  return {
    op: 'send',
    message: taskId === undefined ? message : { ...message, taskId },
    meta: {},
    returnImmediately: true,
    ...more,
  };
}
const update = (more: Partial<UpdateOperation> = {}): UpdateOperation => ({
  op: 'update',
  id: 't',
  artifacts: [],
  append: false,
  lastChunk: true,
  ...more,
});

describe('which scopes are wanted', () => {
  test.each(['send', 'stream'] as const)('to begin a handoff by %s: that of a sender', (op) => {
    expect(wantedScopes(send({ op }))).toEqual(['send']);
  });

  test.each<[string, Operation]>([
    ['a message', send({}, 't')],
    ['a streamed message', send({ op: 'stream' }, 't')],
    ['an update', update()],
  ])('for %s on a handoff: that of either side', (_, operation) => {
    expect(wantedScopes(operation)).toEqual(['send', 'receive']);
  });

  test('for a cancel: that of a sender', () => {
    expect(wantedScopes({ op: 'cancelTask', id: 't' })).toEqual(['send']);
  });

  test.each(transitionSchema.options)(
    'for %s: that of the side whose step it is, however it is asked',
    (transition) => {
      const of = transition === 'cancel' ? ['send'] : ['receive'];
      expect(wantedScopes(update({ transition }))).toEqual(of);
      expect(wantedScopes(send({ meta: { transition } }, 't'))).toEqual(of);
    },
  );

  test.each<Operation>([
    { op: 'getTask', id: 't' },
    { op: 'subscribe', id: 't' },
    { op: 'listTasks', pageSize: 1, includeArtifacts: false },
    { op: 'listHandoffs', limit: 1, countTotal: false },
    { op: 'listPushConfigs', id: 't', pageSize: 1 },
    { op: 'extendedCard' },
  ])('to read ($op): none, since what there is to see depends on the handoff', (operation) => {
    expect(wantedScopes(operation)).toEqual([]);
  });
});
