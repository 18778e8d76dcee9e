import { assertNever } from '../contract/assert-never.ts';
import type { Transition } from '../contract/handoff.ts';
import type { Scope } from '../contract/keys.ts';
import { RULES } from '../handoffs/machine.ts';
import type { Operation } from './operation.ts';

/**
 * Which scopes an operation of A2A wants: one of these, and where there is none, any key will do. It says so before
 * anything is looked up. What a key then gets to see depends on the handoff (`visibleAs`).
 */
export function wantedScopes(operation: Operation): readonly Scope[] {
  switch (operation.op) {
    case 'send':
    case 'stream':
      return operation.message.taskId === undefined ? ['send'] : ofStep(operation.meta.transition);
    case 'update':
      return ofStep(operation.transition);
    case 'cancelTask':
      return ['send'];
    case 'getTask':
    case 'listTasks':
    case 'listHandoffs':
    case 'subscribe':
    case 'createPushConfig':
    case 'getPushConfig':
    case 'listPushConfigs':
    case 'deletePushConfig':
    case 'extendedCard':
      return [];
    default:
      return assertNever(operation);
  }
}

/** A transition is for one side; words are for both. */
function ofStep(transition: Transition | undefined): readonly Scope[] {
  if (transition === undefined) return ['send', 'receive'];
  return RULES[transition].by === 'sender' ? ['send'] : ['receive'];
}
