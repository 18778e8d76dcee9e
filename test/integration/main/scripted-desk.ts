import type { CommandName, CommandOutput, DeskApi, DeskEvent, Surface } from '../../../relay/contract/desk-api.ts';

/** One call that reached the desk. */
export interface DeskCall {
  readonly command: CommandName;
  readonly input: unknown;
  readonly surface: Surface;
}

/** A desk whose answers and events a test decides: for what a real one does only under load or by chance. */
export interface ScriptedDesk extends DeskApi {
  readonly calls: readonly DeskCall[];
  /** Where the listeners that are there now began. */
  readonly subscriptions: readonly number[];
  emit(event: DeskEvent): void;
}

/** @param answer what a call comes to; it may wait, and it may throw */
export function scriptedDesk(answer: (call: DeskCall) => unknown = () => ({})): ScriptedDesk {
  const calls: DeskCall[] = [];
  const listeners = new Map<(event: DeskEvent) => void, number>();
  return {
    calls,
    get subscriptions() {
      return [...listeners.values()];
    },
    call: async (command, input, surface) => {
      const call = { command, input, surface };
      calls.push(call);
      return (await answer(call)) as CommandOutput<typeof command>;
    },
    subscribe: (afterSeq, listener) => {
      listeners.set(listener, afterSeq);
      return () => listeners.delete(listener);
    },
    emit: (event) => {
      for (const listener of listeners.keys()) listener(event);
    },
  };
}
