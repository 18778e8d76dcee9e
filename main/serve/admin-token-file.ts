import { readFile } from 'node:fs/promises';
import { createAdminToken, isAdminToken } from '../../relay/identity/admin-token.ts';
import { writePrivateFile } from '../files.ts';
import { StartError, systemCode, unusable } from '../start-error.ts';
import type { RandomBytes } from '../tokens.ts';

/**
 * The admin token of a relay, in a file of its data folder (0600); made where there is none. Fails with a StartError.
 */
export async function adminTokenIn(
  file: string,
  random: RandomBytes,
): Promise<{ readonly token: string; readonly isNew: boolean }> {
  const stored = await readAdminToken(file).catch((error: unknown) => {
    if (error instanceof StartError && systemCode(error.cause) === 'ENOENT') return undefined;
    throw error;
  });
  if (stored !== undefined) return { token: stored, isNew: false };
  const token = createAdminToken(random);
  await writePrivateFile(file, `${token}\n`);
  return { token, isNew: true };
}

/** Reads such a file. Fails with a StartError that says what to do. */
export async function readAdminToken(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw unusable(file, error);
  });
  const token = text.trim();
  if (isAdminToken(token)) return token;
  throw new StartError(
    `${file} holds no admin token. Restore it; or remove it from the relay's data folder, and the next start makes another one.`,
  );
}
