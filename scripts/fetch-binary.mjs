import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, statSync, writeFileSync } from 'node:fs';

/** After a failure, starts of this long do not try again: a machine without network would wait each time. */
const REST_MS = 24 * 60 * 60 * 1000;

// Types in fetch-binary.d.mts, as for the other parts of a start.
export async function fetchBinary({ installer, seconds, noteOfFailure, say }) {
  const again = `To try again: node ${installer}`;
  if (triedLately(noteOfFailure)) return `the Electron binary could not be fetched within the last day. ${again}`;
  say(`Fetching the Electron binary (at most ${seconds} s) …`);
  const failure = await runInstaller(installer, seconds);
  if (failure === undefined) {
    rmSync(noteOfFailure, { force: true });
    return undefined;
  }
  try {
    writeFileSync(noteOfFailure, `${failure}\n`);
  } catch {
    // a checkout that cannot be written to is asked again each time
  }
  return `the Electron binary could not be fetched (${failure}). ${again}`;
}

function triedLately(noteOfFailure) {
  const age = Date.now() - (statSync(noteOfFailure, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  // times of files have fractions that those of the clock lack
  return age > -1000 && age < REST_MS;
}

/** Why it failed; undefined when the binary is there. */
async function runInstaller(installer, seconds) {
  const child = spawn(process.execPath, [installer], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said += text;
  });
  let isLate = false;
  const limit = setTimeout(() => {
    isLate = true;
    child.kill('SIGKILL');
  }, seconds * 1000);
  const end = (signal) => {
    child.kill('SIGKILL');
    process.exit(128 + (signal === 'SIGINT' ? 2 : 15));
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, end);
  const [code] = await once(child, 'close');
  for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, end);
  clearTimeout(limit);
  if (isLate) return `not within ${seconds} s`;
  return code === 0 ? undefined : (said.trim().split('\n')[0] ?? `the installer ended with ${code}`);
}
