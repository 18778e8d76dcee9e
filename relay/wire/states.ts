import type { TaskState } from '../contract/a2a.ts';
import type { HandoffState } from '../contract/handoff.ts';
import type { Json } from '../contract/json.ts';

/** A2A's states by their number in the proto, counted from 1, and the handoff's state that each one shows. */
const STATES: readonly (readonly [TaskState, HandoffState | undefined])[] = [
  ['TASK_STATE_SUBMITTED', 'pending'],
  ['TASK_STATE_WORKING', 'accepted'],
  ['TASK_STATE_COMPLETED', 'completed'],
  ['TASK_STATE_FAILED', 'failed'],
  ['TASK_STATE_CANCELED', 'cancelled'],
  ['TASK_STATE_INPUT_REQUIRED', 'input_required'],
  ['TASK_STATE_REJECTED', 'declined'],
  // no handoff is ever in it
  ['TASK_STATE_AUTH_REQUIRED', undefined],
];

/** `TASK_STATE_INPUT_REQUIRED` → `input-required`, the form of A2A 0.3 and before. */
export function legacyState(state: TaskState): string {
  return state.slice('TASK_STATE_'.length).toLowerCase().replace('_', '-');
}

const BY_NAME_OR_NUMBER: ReadonlyMap<Json, readonly HandoffState[]> = new Map(
  STATES.flatMap(([name, state], i): [Json, readonly HandoffState[]][] => {
    const states = state === undefined ? [] : [state];
    return [
      [name, states],
      [i + 1, states],
    ];
  }),
);

/**
 * The handoff states behind a 1.0 TaskState, by name or number: one, or none for AUTH_REQUIRED. undefined when there is
 * no such state.
 */
export function statesOf(taskState: Json): readonly HandoffState[] | undefined {
  return BY_NAME_OR_NUMBER.get(taskState);
}

/** Every spelling in use: ours, 1.0, 0.3, and `cancelled` with one or two Ls; `-` and `_` alike. */
const BY_ANY_NAME: ReadonlyMap<string, readonly HandoffState[]> = new Map(
  STATES.flatMap(([name, state]): [string, readonly HandoffState[]][] => {
    const states = state === undefined ? [] : [state];
    const names = [legacyState(name).replace('-', '_'), ...states];
    return names.map((n) => [n, states]);
  }),
);

/** As `statesOf`, for the names that any generation of the protocol, and we, use. */
export function statesOfAnyName(name: string): readonly HandoffState[] | undefined {
  return name.length > 64
    ? undefined
    : BY_ANY_NAME.get(
        name
          .toLowerCase()
          .replace(/^task_state_/, '')
          .replaceAll('-', '_'),
      );
}
