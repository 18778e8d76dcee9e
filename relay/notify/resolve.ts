import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { createGate } from './gate.ts';
import type { Resolve } from './webhook-guard.ts';

/** How long a name server has, milliseconds, and how often it is asked. */
const PATIENCE = { timeout: 2000, tries: 2 };
/** The system's own look-up has a handful of threads for the whole process. */
const SYSTEM = { total: 2, perKey: 1 };

/**
 * Looks names up so that nobody can make others wait: name servers are asked without a thread, and each name once at a
 * time. The system's own look-up, which nothing can call off, is asked only for names that name servers do not know: those
 * of /etc/hosts, say.
 */
export function createResolve(makeResolver: () => Pick<Resolver, 'resolve4' | 'resolve6'> = newResolver): Resolve {
  const underWay = new Map<string, Promise<readonly LookupAddress[]>>();
  const system = createGate(SYSTEM);

  async function look(name: string): Promise<readonly LookupAddress[]> {
    // a new one knows the name servers of the network that the machine is on by now
    const servers = makeResolver();
    const answers = await Promise.allSettled([servers.resolve4(name), servers.resolve6(name)]);
    const found = answers.flatMap((answer, index) =>
      answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })) : [],
    );
    if (found.length > 0) return found;
    const slow = answers.find((answer) => answer.status === 'rejected' && isSlow(answer.reason));
    if (slow?.status === 'rejected') throw slow.reason;
    return system.run(name, () => lookup(name, { all: true }));
  }

  return (name) => {
    const known = underWay.get(name);
    if (known !== undefined) return known;
    const looking = look(name).finally(() => underWay.delete(name));
    underWay.set(name, looking);
    return looking;
  };
}

function newResolver(): Resolver {
  return new Resolver(PATIENCE);
}

function isSlow(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ETIMEOUT' || error.code === 'ECANCELLED');
}
