import { StartError, systemCode } from './start-error.ts';

/** So many ports after the default one are tried before any free one is taken. */
const NEIGHBOURS = 20;

export interface ListenOptions {
  readonly port: number;
  /** Whether nobody asked for `port`. */
  readonly portIsDefault: boolean;
}

/**
 * Listens on a port, or, when nobody asked for that one and it is taken, on the next free one; `notice` then says so.
 * A port that was asked for and cannot be had is a StartError.
 * @param listen resolves to the address; fails with the system's error (EADDRINUSE, EACCES)
 */
export async function listenOnPort(
  listen: (port: number) => Promise<string>,
  { port, portIsDefault }: ListenOptions,
): Promise<{ readonly url: string; readonly notice?: string }> {
  const others = portIsDefault ? [...Array.from({ length: NEIGHBOURS }, (_, i) => port + 1 + i), 0] : [];
  for (const candidate of [port, ...others]) {
    try {
      const url = await listen(candidate);
      if (candidate === port) return { url };
      return { url, notice: `Port ${port} is taken by another program: the relay is at ${url}` };
    } catch (error) {
      const code = systemCode(error);
      if (code === 'EACCES')
        throw new StartError(`Port ${candidate} is kept for administrators. Choose one over 1023 with --port.`, {
          cause: error,
        });
      if (code !== 'EADDRINUSE') throw error;
    }
  }
  throw new StartError(
    `Port ${port} is taken by another program. End that one, or choose another port with --port (0 is any free one).`,
  );
}
