export interface FetchOptions {
  /** The script that fetches the binary and ends with 0 when it is there. */
  readonly installer: string;
  /** The longest that it may take. */
  readonly seconds: number;
  /** A file that remembers a failure, so that the starts of the next day do not wait for another one. */
  readonly noteOfFailure: string;
  readonly say: (line: string) => void;
}

/** Fetches Electron's binary. Resolves to undefined when it is there, else to why it is not and how to try again. */
export function fetchBinary(options: FetchOptions): Promise<string | undefined>;
