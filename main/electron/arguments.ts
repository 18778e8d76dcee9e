/**
 * The arguments that are ours. Unpackaged, the folder or script that Electron was given stands before them, and
 * switches of Electron's own may stand before that.
 */
export function appArguments(argv: readonly string[], isPackaged: boolean): readonly string[] {
  const rest = argv.slice(1);
  return isPackaged ? rest : rest.slice(rest.findIndex((argument) => !argument.startsWith('-')) + 1);
}
