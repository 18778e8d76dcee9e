const observers = new Set<() => void>();

/** Calls back whenever something changed that a user of the desktop would see. */
export function observe(observer: () => void): void {
  observers.add(observer);
}

/** Something that a user of the desktop would see has changed. */
export function changed(): void {
  for (const observer of observers) observer();
}
