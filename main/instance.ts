import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { RelayError } from '../relay/contract/reasons.ts';
import { acquireFileLock } from '../relay/store/sqlite/file-lock.ts';
import { privateFolder, removeFile, writePrivateFile } from './files.ts';
import { connectToOwner, readPublished, type Instance } from './running-app.ts';
import { StartError, unusable } from './start-error.ts';

/** How often a start looks again whether the folder is free, or its owner ready. */
const LOOK_AGAIN_MS = 100;
/** How long a start waits for another one to be ready, or gone. */
const PATIENCE_MS = 20_000;
/** What was published and is damaged at so many looks stays so: an owner that has just begun clears it at once. */
const DAMAGED_LOOKS = 10;
/** How long the owner may take to show its window. */
const SHOW_TIMEOUT_MS = 10_000;

/** The right to use a data folder, held by this process alone until it is released or the process ends. */
export interface Ownership {
  /** Says where the app is and what clients of its socket must show, once it is ready for them. */
  publish(instance: Instance, token: string): Promise<void>;
  /** Removes what was published, then lets go. */
  release(): Promise<void>;
}

export type Claim =
  | { readonly kind: 'owned'; readonly ownership: Ownership }
  /** Another process owns the folder and was asked to show its window; `window` is its answer. */
  | { readonly kind: 'shown'; readonly window: string };

/**
 * Takes a data folder for this process, or asks its owner to show itself. While the owner is still starting, or already
 * ending, it waits; a StartError when that takes longer than `patienceMs`, an AbortError when `signal` says so.
 * @param home the folder's real path
 */
export async function claimDataFolder(home: string, signal?: AbortSignal, patienceMs = PATIENCE_MS): Promise<Claim> {
  const run = join(home, 'run');
  await privateFolder(run);
  const deadline = Date.now() + patienceMs;
  let damagedLooks = 0;
  for (;;) {
    const unlock = lock(join(run, 'owner.lock'));
    if (unlock !== undefined) return { kind: 'owned', ownership: await own(run, unlock) };
    const window = await showOwner(home);
    if (window !== undefined) return { kind: 'shown', window };
    damagedLooks = (await readPublished(home)) === 'damaged' ? damagedLooks + 1 : 0;
    if (damagedLooks > DAMAGED_LOOKS) {
      throw new StartError(
        `Another AgentRelay uses ${home}, and cannot be reached: what it wrote into ${run} is damaged. End it, and start again.`,
      );
    }
    if (Date.now() >= deadline) {
      throw new StartError(
        `Another AgentRelay uses ${home}, but does not answer. Wait until it has started or ended, or end it.`,
      );
    }
    await delay(LOOK_AGAIN_MS, undefined, signal === undefined ? {} : { signal });
  }
}

function lock(path: string): ReturnType<typeof acquireFileLock> {
  try {
    return acquireFileLock(path);
  } catch (error) {
    throw unusable(path, error);
  }
}

async function own(run: string, unlock: () => void): Promise<Ownership> {
  const instanceFile = join(run, 'instance.json');
  const tokenFile = join(run, 'token');
  const clear = async (): Promise<void> => {
    await Promise.all([removeFile(instanceFile), removeFile(tokenFile)]);
  };
  try {
    // what one that was killed has left
    await clear();
  } catch (error) {
    unlock();
    throw error;
  }
  return {
    publish: async (instance, token) => {
      await writePrivateFile(tokenFile, `${token}\n`);
      // last: who finds this finds the rest
      await writePrivateFile(instanceFile, `${JSON.stringify(instance, null, 2)}\n`);
    },
    release: async () => {
      try {
        await clear();
      } finally {
        unlock();
      }
    },
  };
}

async function showOwner(home: string): Promise<string | undefined> {
  try {
    const owner = await connectToOwner(home, 'cli', SHOW_TIMEOUT_MS);
    if (owner === undefined) return undefined;
    try {
      return (await owner.call('openWindow', {})).url;
    } finally {
      owner.close();
    }
  } catch (error) {
    // it ends, or another one takes its place just now: the next look tells
    if (error instanceof RelayError) return undefined;
    throw error;
  }
}
