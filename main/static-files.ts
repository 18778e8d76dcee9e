import { readdir } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { StartError, systemCode } from './start-error.ts';
import { MEDIA_TYPES } from './window-files.ts';

/** A file of the window, and how it is served. */
export interface StaticFile {
  readonly file: string;
  readonly type: string;
  readonly cacheControl: string;
}

/**
 * The window's files by URL path. What is not in the list is not served, so that no path leads out of the folder.
 * Fails with a StartError when the window has not been built.
 * @param root the folder of the built renderer
 */
export async function listStaticFiles(root: string): Promise<ReadonlyMap<string, StaticFile>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  });
  const files = new Map<string, StaticFile>();
  for (const entry of entries) {
    const type = MEDIA_TYPES[extname(entry.name)];
    if (!entry.isFile() || type === undefined) continue;
    const file = join(entry.parentPath, entry.name);
    const path = `/${relative(root, file).split(sep).join('/')}`;
    // the build puts a hash of the content into the names of assets
    const cacheControl = path.startsWith('/assets/') ? 'private, max-age=31536000, immutable' : 'no-store';
    files.set(path, { file, type, cacheControl });
  }
  const index = files.get('/index.html');
  if (index === undefined)
    throw new StartError(`The window has not been built: ${root} is empty. Run "npm run build".`);
  return files.set('/', index);
}
