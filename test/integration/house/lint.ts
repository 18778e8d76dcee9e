import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { ROOT } from '../../support/project-root.ts';
import { tempDir } from '../../support/temp-dir.ts';

const reportSchema = z.object({
  diagnostics: z.array(z.object({ filename: z.string(), code: z.string(), help: z.string().optional() })),
  number_of_files: z.number(),
});

/** What the linter said of one file: the rule, and for an import rule its message. */
export interface Finding {
  readonly rule: string;
  readonly says: string | undefined;
}

/**
 * Lints files, given as path to text, in a folder laid out like this project and under this project's own rules.
 * Answers with what was found, by path; a file in which nothing was found has an empty list.
 */
export function lint(files: ReadonlyMap<string, string>): Map<string, Finding[]> {
  const dir = tempDir();
  for (const config of ['.oxlintrc.json', 'tsconfig.json']) copyFileSync(join(ROOT, config), join(dir, config));
  symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'));
  for (const [path, text] of files) {
    mkdirSync(join(dir, dirname(path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  const rooms = new Set([...files.keys()].map((path) => path.split('/')[0] ?? path));
  const oxlint = join(ROOT, 'node_modules/oxlint/bin/oxlint');
  const { stdout, stderr } = spawnSync(process.execPath, [oxlint, '-f', 'json', ...rooms], {
    cwd: dir,
    encoding: 'utf8',
  });
  const report = reportSchema.safeParse(tryJson(stdout));
  if (!report.success) throw new Error(`oxlint said no JSON: ${stdout}${stderr}`);
  if (report.data.number_of_files !== files.size) {
    throw new Error(`oxlint read ${report.data.number_of_files} of ${files.size} files`);
  }
  const findings = new Map<string, Finding[]>([...files.keys()].map((path) => [path, []]));
  for (const { filename, code, help } of report.data.diagnostics) {
    findings.get(filename)?.push({ rule: code, says: code === IMPORT_RULE ? help : undefined });
  }
  return findings;
}

/** The rule behind every rule of ours about who imports whom. */
export const IMPORT_RULE = 'eslint(no-restricted-imports)';

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
