import { byPattern, type Rule } from './rule.ts';

/** Names of folders that are nobody's in particular: of CI, of containers, of documentation. */
const NOBODY: ReadonlySet<string> = new Set(
  'all app circleci codespace debian default ec2-user example foo gitpod guest jenkins me name node public runner runneradmin shared someone ubuntu user username vscode vsts you your-name yourname'.split(
    ' ',
  ),
);

/**
 * A path below somebody's home folder tells who they are, and how their machine is laid out. On Linux, macOS and Windows,
 * and there from WSL, Git Bash and Cygwin too; with separators of either kind, single or doubled. Not the path of an
 * address on the web.
 */
const anybodys = byPattern(
  'home-path',
  /(?<![\w.~})\]-])(?:\/home\/|(?:\/(?:mnt\/|cygdrive\/)?[a-z])?\/Users\/|[A-Za-z]:[\\/]{1,2}[Uu]sers[\\/]{1,2})(?<name>[A-Za-z][\w.@-]{0,63})[\\/]/dg,
  ({ name = '' }) => !NOBODY.has(name.toLowerCase()),
);

/**
 * @param homeDirs this person's home folders, as the system names them: found wherever they stand
 */
export function homePaths(homeDirs: readonly string[]): readonly Rule[] {
  const own = homeDirs.flatMap((folder) => {
    const names = folder.split(/[\\/]+/).filter((name) => name !== '');
    // "/" and "/root" are nobody's name
    if (names.length < 2) return [];
    return [(/^[\\/]/.test(folder) ? SEPARATOR : '') + names.map(escaped).join(SEPARATOR)];
  });
  if (own.length === 0) return [anybodys];
  return [anybodys, byPattern('home-path', new RegExp(`(?:${own.join('|')})(?![\\w.-])`, 'dg'))];
}

const SEPARATOR = '[\\\\/]{1,2}';

function escaped(name: string): string {
  return name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
