/**
 * A map that holds at most `limit` entries and drops the oldest one for a new one. Oldest means first put in: unlike
 * the order of last use, that order costs nothing on a read.
 */
export class BoundedMap<K, V> {
  readonly #entries = new Map<K, V>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  set(key: K, value: V): void {
    if (this.#entries.size >= this.#limit && !this.#entries.has(key)) {
      for (const oldest of this.#entries.keys()) {
        this.#entries.delete(oldest);
        break;
      }
    }
    this.#entries.set(key, value);
  }

  /** Drops every entry for which `condemned` says so. */
  deleteWhere(condemned: (value: V) => boolean): void {
    for (const [key, value] of this.#entries) {
      if (condemned(value)) this.#entries.delete(key);
    }
  }
}
