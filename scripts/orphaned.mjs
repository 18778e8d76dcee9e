import { readFileSync } from 'node:fs';

const LOOK_MS = 500;

/**
 * Calls back once, when the npm that started this process has ended without ending it: npm passes no signal on to what a
 * script starts, and none at all when it is killed. Without npm nothing is watched.
 * @param {() => void} callback
 */
export function whenOrphaned(callback) {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  // a shell between npm and us (dash stays, bash replaces itself) outlives npm
  const grandparent = isShell(parent) ? parentOf(parent) : undefined;
  const timer = setInterval(() => {
    if (process.ppid === parent && (grandparent === undefined || parentOf(parent) === grandparent)) return;
    clearInterval(timer);
    callback();
  }, LOOK_MS);
  timer.unref();
}

function isShell(pid) {
  return /^(?:a|ba|da|k|z)?sh$/.test(procFile(pid, 'comm').trim());
}

/** From `/proc/PID/stat`: the second field, in brackets, may hold anything; the parent is the second one after it. */
function parentOf(pid) {
  return procFile(pid, 'stat').split(') ').at(-1)?.split(' ')[1];
}

/** Only Linux has these files; elsewhere the direct parent is all that is watched. */
function procFile(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
