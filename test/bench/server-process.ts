import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const readySchema = z.object({ port: z.number(), path: z.string(), key: z.string(), otherKey: z.string() });
/** Where a server under test is reached, and the keys of a sender and of the agent it writes to. */
export type Ready = z.infer<typeof readySchema>;

/** In the server's process: says that it is ready, and stops when its parent says so or is gone. */
export function announce(ready: Ready, stop: () => Promise<void>): void {
  process.once('disconnect', () => {
    void stop().then(() => process.exit(0));
  });
  process.send?.(ready);
}

export interface ServerProcess {
  readonly ready: Ready;
  stop(): Promise<void>;
}

/** In the parent: starts a server in a process of its own, as both peers are started. */
export async function startServer(file: 'relay-server.ts' | 'sdk-server.ts'): Promise<ServerProcess> {
  const child: ChildProcess = fork(fileURLToPath(new URL(file, import.meta.url)), { stdio: 'inherit' });
  const [message] = (await once(child, 'message')) as [unknown];
  return {
    ready: readySchema.parse(message),
    async stop() {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}
