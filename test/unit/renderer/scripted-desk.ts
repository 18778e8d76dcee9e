import type { CommandInput, CommandName, CommandOutput, DeskEvent } from '../../../relay/contract/desk-api.ts';
import { DeskCallError, type Connection, type DeskClient } from '../../../renderer/desk-client.ts';

type Answers = { [C in CommandName]?: (input: CommandInput<C>) => CommandOutput<C> | Promise<CommandOutput<C>> };

/** A desk that answers as a test tells it to, over no wire at all; it notes what it was asked. */
export class ScriptedDesk implements DeskClient {
  readonly calls: { readonly command: CommandName; readonly input: unknown }[] = [];
  /** `after` of every subscription so far. */
  readonly subscriptions: number[] = [];
  readonly answers: Answers;
  #listeners = new Set<(event: DeskEvent) => void>();
  #connections = new Set<(connection: Connection) => void>();

  constructor(answers: Answers) {
    this.answers = answers;
  }

  get listening(): number {
    return this.#listeners.size;
  }

  async call<C extends CommandName>(command: C, input: CommandInput<C>): Promise<CommandOutput<C>> {
    this.calls.push({ command, input });
    const answer: Answers[C] = this.answers[command];
    if (answer === undefined) throw refused(`${command} was not expected`);
    return answer(input);
  }

  subscribe(
    afterSeq: number,
    onEvent: (event: DeskEvent) => void,
    onConnection: (connection: Connection) => void,
  ): () => void {
    this.subscriptions.push(afterSeq);
    this.#listeners.add(onEvent);
    this.#connections.add(onConnection);
    onConnection({ state: 'open' });
    return () => {
      this.#listeners.delete(onEvent);
      this.#connections.delete(onConnection);
    };
  }

  /** Tells everybody who listens. */
  emit(event: DeskEvent): void {
    for (const tell of this.#listeners) tell(event);
  }

  connect(connection: Connection): void {
    for (const tell of this.#connections) tell(connection);
  }

  /** How often a command was called. */
  count(command: CommandName): number {
    return this.calls.filter((call) => call.command === command).length;
  }
}

/** An error as a desk answers it. */
export function refused(message: string, reason: DeskCallError['error']['reason'] = 'INTERNAL'): DeskCallError {
  return new DeskCallError({ reason, message });
}

/** Time that goes on only when a test says so. */
export class ManualTime {
  now = 1_000_000;
  #waiting: { readonly at: number; readonly run: () => void }[] = [];

  readonly clock = (): number => this.now;
  readonly later = (ms: number, run: () => void): (() => void) => {
    const entry = { at: this.now + ms, run };
    this.#waiting.push(entry);
    return () => {
      this.#waiting = this.#waiting.filter((one) => one !== entry);
    };
  };

  get waiting(): number {
    return this.#waiting.length;
  }

  pass(ms: number): void {
    this.now += ms;
    const due = this.#waiting.filter(({ at }) => at <= this.now);
    this.#waiting = this.#waiting.filter(({ at }) => at > this.now);
    for (const { run } of due) run();
  }
}

/** Lets everything that was promised so far happen. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}
