/** Takes down what was put up, in the opposite order, once. */
export class Cleanup {
  readonly #steps: (() => void | Promise<void>)[] = [];
  #done: Promise<void> | undefined;

  /** Notes how to take down what has just been put up. */
  add(step: () => void | Promise<void>): void {
    this.#steps.push(step);
  }

  /** Every step is taken, whatever the others do; then it fails with what the first failing one threw. Idempotent. */
  run(): Promise<void> {
    this.#done ??= this.#takeDown();
    return this.#done;
  }

  async #takeDown(): Promise<void> {
    const failures: unknown[] = [];
    for (const step of this.#steps.toReversed()) {
      try {
        await step();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
