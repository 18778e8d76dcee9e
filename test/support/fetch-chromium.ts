import { spawnSync } from 'node:child_process';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';

const PACKAGE = '@sparticuz/chromium@153.0.0';

/** A Chromium that brings all it needs, and the environment in which it finds it. */
export interface FetchedChromium {
  readonly executablePath: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * The headless Chromium that a package of the npm registry carries (66 MB), unpacked once into the user's cache. Of the
 * package only its files are used: its own code switches web security off and unpacks without a lock.
 */
export async function fetchChromium(): Promise<FetchedChromium> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('No Chromium or Chrome was found. Install one, or give its path in CHROMIUM_PATH.');
  }
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'agentrelay-tests');
  const home = join(cache, PACKAGE.replace('/', '+'));
  if (!existsSync(home)) await unpackInto(home, cache);
  const executablePath = join(home, 'chromium');
  const env: Record<string, string> = { FONTCONFIG_FILE: join(home, 'fonts.conf') };
  // a bare system lacks the libraries that the package brings; one that has them keeps its own
  if (spawnSync(executablePath, ['--version']).status !== 0) env['LD_LIBRARY_PATH'] = join(home, 'lib');
  return { executablePath, env };
}

async function unpackInto(home: string, cache: string): Promise<void> {
  await mkdir(cache, { recursive: true });
  const unpacking = await mkdtemp(join(cache, '.unpacking-'));
  try {
    install(unpacking);
    const bin = join(unpacking, 'node_modules', '@sparticuz', 'chromium', 'bin');
    await inflate(join(bin, 'chromium.br'), join(unpacking, 'chromium'));
    // nss, nspr and expat, and a font: a bare system has none, and text without a font counts as hidden
    for (const name of ['al2023', 'fonts']) {
      const archive = join(unpacking, `${name}.tar`);
      await inflate(join(bin, `${name}.tar.br`), archive);
      run('tar', ['xf', archive, '-C', unpacking], `${name}.tar could not be unpacked`);
      await rm(archive);
    }
    await writeFile(join(unpacking, 'fonts.conf'), fontsConf(home));
    await rm(join(unpacking, 'node_modules'), { recursive: true });
    // one rename: another process sees all of it or nothing, and losing the race is fine
    await rename(unpacking, home).catch((error: unknown) => {
      if (!existsSync(home)) throw error;
    });
  } finally {
    await rm(unpacking, { recursive: true, force: true });
  }
}

function install(folder: string): void {
  const flags = ['--no-save', '--no-package-lock', '--ignore-scripts', '--loglevel', 'error'];
  const advice = `${PACKAGE} could not be installed; give a Chromium's path in CHROMIUM_PATH`;
  run('npm', ['install', '--prefix', folder, ...flags, PACKAGE], advice);
}

function run(command: string, args: readonly string[], failure: string): void {
  const { status } = spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(failure);
}

async function inflate(from: string, to: string): Promise<void> {
  await pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(to, { mode: 0o755 }));
}

function fontsConf(home: string): string {
  const folders = ['/usr/share/fonts', `${home}/fonts`].map((folder) => `<dir>${folder}</dir>`).join('');
  const body = `<fontconfig>${folders}<cachedir>${home}/fontcache</cachedir></fontconfig>`;
  return `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">${body}`;
}
