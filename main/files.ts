import { constants } from 'node:fs';
import { chmod, lstat, mkdir, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError, systemCode, unusable } from './start-error.ts';

/** The mode's bits for everybody but the owner. */
const OTHERS = 0o077;
/** What the app keeps in its data folder, but for `trust.yaml`, which says itself that it is a link. */
const KEPT = /^(?:relay\.db|desk\.db|config\.json|secrets\.json|admin-token)/;
/** Folders in it in which everything is the app's. */
const KEPT_FOLDERS = ['run', 'logs', 'backups'];
/** Files by which a data folder is known. */
const OURS: ReadonlySet<string> = new Set(['config.json', 'relay.db', 'run', 'secrets.json']);

/**
 * Makes the data folder (and what is above it), for this user alone, and returns its real path: a link to it may stand
 * anywhere, what counts is where it leads. Fails with a StartError where that is no folder of this user, or one that
 * others can read and that serves something else: closing that one to them could break it. Also where anything of the
 * app's in it is a link.
 */
export async function openDataFolder(path: string): Promise<string> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    const real = await realpath(path);
    const { mode } = await lstat(real);
    if (process.getuid !== undefined && (mode & OTHERS) !== 0) {
      const names = await readdir(real);
      if (names.length > 0 && !names.some((name) => OURS.has(name))) {
        throw new StartError(`${path} holds other things, and others can read it. Choose an empty folder with --home.`);
      }
    }
    await makePrivate(real);
    await refuseLinks(real);
    return real;
  } catch (error) {
    throw unusable(path, error);
  }
}

/**
 * Makes one folder for this user alone. Its parent exists. A link in its place is refused: whoever put it there could
 * read or replace what is written below. Fails with a StartError.
 */
export async function privateFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
      if (systemCode(error) !== 'EEXIST') throw error;
    });
    await makePrivate(path);
  } catch (error) {
    throw unusable(path, error);
  }
}

/** Whoever put a link into the place of a file or folder of ours would have us read or write somewhere else. */
async function refuseLinks(home: string): Promise<void> {
  const isOurs = (name: string): boolean => KEPT.test(name) || KEPT_FOLDERS.includes(name);
  const links = (await linksIn(home)).filter(isOurs).map((name) => join(home, name));
  for (const folder of KEPT_FOLDERS) {
    links.push(...(await linksIn(join(home, folder))).map((name) => join(home, folder, name)));
  }
  const [link] = links;
  if (link !== undefined) throw new StartError(`${link} is a link. Put there what it leads to, or remove it.`);
}

async function linksIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    // none yet, or something else: that is said where it is to be used
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return [];
    throw error;
  });
  return entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => name);
}

/** Whether a path leads to a folder that is there and belongs to this user. */
export async function isOwnFolder(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined);
  return stats !== undefined && stats.isDirectory() && (process.getuid === undefined || stats.uid === process.getuid());
}

async function makePrivate(path: string): Promise<void> {
  const stats = await lstat(path);
  if (!stats.isDirectory()) throw new StartError(`${path} must be a folder of its own. Move what is there away.`);
  // Windows has neither owner nor mode here: there the user's profile folder keeps others out.
  if (process.getuid === undefined) return;
  if (stats.uid !== process.getuid()) {
    throw new StartError(`${path} belongs to another user. Choose another data folder with --home or AGENTRELAY_HOME.`);
  }
  if ((stats.mode & OTHERS) !== 0) await chmod(path, 0o700);
}

/**
 * Writes a file as a whole or not at all, readable to this user alone (0600), and safe from a power cut once it resolves.
 * What stands at `path` is replaced, never followed or shared. One writer at a time. Fails with a StartError.
 */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  await replacePrivateFile(path, text, () => true);
}

/**
 * The same, unless somebody does not want it any more.
 * @param isWanted asked at the last moment; where it says no, nothing is replaced
 * @returns whether it was written
 */
export async function replacePrivateFile(path: string, text: string, isWanted: () => boolean): Promise<boolean> {
  const draft = `${path}.next`;
  await writeNew(draft, text).catch((error: unknown) => {
    throw unusable(draft, error);
  });
  if (!isWanted()) return false;
  await rename(draft, path).catch((error: unknown) => {
    throw unusable(path, error);
  });
  return true;
}

async function writeNew(path: string, text: string): Promise<void> {
  await rm(path, { force: true });
  const file = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Removes a file that may not be there. Fails with a StartError. */
export async function removeFile(path: string): Promise<void> {
  await rm(path, { force: true }).catch((error: unknown) => {
    throw unusable(path, error);
  });
}
