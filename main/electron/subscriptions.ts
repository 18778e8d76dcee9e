/** What the documents in the windows have subscribed to: by web contents, then by the document's own number. */
export class Subscriptions {
  readonly #byOwner = new Map<number, Map<number, () => void>>();

  /**
   * Keeps a subscription. One with the same number is ended first.
   * @param end its unsubscribe function
   */
  add(owner: number, id: number, end: () => void): void {
    this.end(owner, id);
    const owned = this.#byOwner.get(owner) ?? new Map<number, () => void>();
    this.#byOwner.set(owner, owned.set(id, end));
  }

  /** Ends a subscription. Does nothing when there is none. */
  end(owner: number, id: number): void {
    const owned = this.#byOwner.get(owner);
    owned?.get(id)?.();
    owned?.delete(id);
  }

  /** Ends all subscriptions of a document that is gone. */
  endAll(owner: number): void {
    for (const end of this.#byOwner.get(owner)?.values() ?? []) end();
    this.#byOwner.delete(owner);
  }
}
