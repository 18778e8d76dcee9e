// node scripts/icons.mjs: draws the PNGs of assets/ anew from assets/icon.svg, in the Chromium of the tests.
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { chromium } from '@playwright/test';
import { findChromium } from '../test/support/chromium.ts';

const ASSETS = join(import.meta.dirname, '..', 'assets');
// 4.5:1 on white and on black: bars of both kinds show it. macOS looks at the alpha alone.
const TRAY = '#767676';
const ICONS = [
  { file: 'icon-512.png', size: 512 },
  { file: 'tray/idle-16.png', size: 16, color: TRAY },
  { file: 'tray/idle-32.png', size: 32, color: TRAY },
];

const svg = readFileSync(join(ASSETS, 'icon.svg'), 'utf8');
const { executablePath, args, env } = await findChromium();
const browser = await chromium.launch({ executablePath, args, env: { ...process.env, ...env } });
try {
  const page = await browser.newPage();
  for (const { file, size, color } of ICONS) {
    await page.setViewportSize({ width: size, height: size });
    const style = `body { margin: 0 } svg { display: block; width: ${size}px; ${color ? `color: ${color}` : ''} }`;
    await page.setContent(`<!doctype html><style>${style}</style>${svg}`);
    const path = join(ASSETS, file);
    mkdirSync(dirname(path), { recursive: true });
    await page.screenshot({ path, omitBackground: true });
  }
} finally {
  await browser.close();
}
