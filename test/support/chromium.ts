import { spawnSync } from 'node:child_process';
import { accessSync, constants, createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { chromium } from '@playwright/test';

const FETCHED = '@sparticuz/chromium@153.0.0';
const ARGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface Browser {
  executablePath: string;
  args: string[];
  env?: Record<string, string>;
}

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/**
 * A Chromium for the tests: $CHROMIUM_PATH, an installed Chromium or Chrome, Playwright's own, else one from the
 * npm registry, kept in the user's cache. CHROMIUM_PATH=fetch asks for the last.
 */
export async function findChromium(): Promise<Browser> {
  const args = process.getuid?.() === 0 ? [...ARGS, '--no-sandbox'] : ARGS;
  const explicit = process.env['CHROMIUM_PATH'];
  if (explicit === 'fetch') return fetchChromium();
  if (explicit) {
    if (!isExecutable(explicit)) throw new Error(`CHROMIUM_PATH=${explicit} is not an executable file`);
    return { executablePath: explicit, args };
  }
  const dirs = (process.env['PATH'] ?? '').split(delimiter);
  const installed = [
    ...['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'].flatMap((n) =>
      dirs.map((d) => join(d, n)),
    ),
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  ].find(isExecutable);
  if (installed) return { executablePath: installed, args };
  const own = chromium.executablePath();
  if (own && existsSync(own)) return { executablePath: own, args };
  return fetchChromium();
}

/** The headless Chromium that the registry's package carries, unpacked once. The package's own code is not run. */
async function fetchChromium(): Promise<Browser> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('No Chromium or Chrome was found. Install one, or give its path in CHROMIUM_PATH.');
  }
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'agentrelay-tests');
  const home = join(cache, FETCHED.replace('/', '+'));
  const executablePath = join(home, 'chromium');
  if (!existsSync(home)) {
    await mkdir(cache, { recursive: true });
    const tmp = await mkdtemp(join(cache, '.unpacking-'));
    try {
      const npm = spawnSync(
        'npm',
        [
          'install',
          '--prefix',
          tmp,
          '--no-save',
          '--no-package-lock',
          '--ignore-scripts',
          '--loglevel',
          'error',
          FETCHED,
        ],
        { stdio: ['ignore', 'ignore', 'inherit'] },
      );
      if (npm.status !== 0) throw new Error(`Could not install ${FETCHED}; give a Chromium's path in CHROMIUM_PATH.`);
      const bin = join(tmp, 'node_modules', '@sparticuz', 'chromium', 'bin');
      const inflate = async (from: string, to: string): Promise<void> =>
        pipeline(createReadStream(join(bin, from)), createBrotliDecompress(), createWriteStream(to, { mode: 0o755 }));
      await inflate('chromium.br', join(tmp, 'chromium'));
      // nss, nspr and expat, and a font: a bare Debian or a container has none, and text without a font counts as hidden
      for (const name of ['al2023', 'fonts']) {
        const file = join(tmp, `${name}.tar`);
        await inflate(`${name}.tar.br`, file);
        const tar = spawnSync('tar', ['xf', file, '-C', tmp]);
        if (tar.status !== 0) throw new Error(`tar failed: ${String(tar.stderr)}`);
        await rm(file);
      }
      await writeFile(
        join(tmp, 'fonts.conf'),
        `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>/usr/share/fonts</dir><dir>${home}/fonts</dir><cachedir>${home}/fontcache</cachedir></fontconfig>`,
      );
      await rm(join(tmp, 'node_modules'), { recursive: true });
      // one rename: another process sees all of it or nothing, and losing the race is fine
      await rename(tmp, home).catch((e: unknown) => {
        if (!existsSync(home)) throw e;
      });
    } finally {
      await rm(tmp, { recursive: true, force: true });
    }
  }
  const args = [...ARGS, '--no-sandbox', '--headless=shell'];
  const env: Record<string, string> = { FONTCONFIG_FILE: join(home, 'fonts.conf') };
  if (spawnSync(executablePath, ['--version']).status !== 0) env['LD_LIBRARY_PATH'] = join(home, 'lib');
  return { executablePath, args, env };
}
