/** Where the window keeps what is only about itself. Nothing of the desk's is in it. */
export interface Storage {
  /** The value under a name; undefined when there is none, or none that can be read. */
  read(name: string): unknown;
  write(name: string, value: unknown): void;
}

/**
 * The browser's local storage. It may be switched off, full or of another version: then the window works and forgets.
 */
export function browserStorage(): Storage {
  return {
    read(name) {
      try {
        const text = window.localStorage.getItem(`agentrelay.${name}`);
        return text === null ? undefined : JSON.parse(text);
      } catch {
        return undefined;
      }
    },
    write(name, value) {
      try {
        window.localStorage.setItem(`agentrelay.${name}`, JSON.stringify(value));
      } catch {
        // nothing depends on it
      }
    },
  };
}
