import { extname } from 'node:path';
import { typedArtifactSchema, type TypedArtifact } from '../../relay/contract/artifact.ts';
import { UsageError } from '../start-error.ts';
import type { Given } from './command.ts';
import type { FlagTable } from './flags.ts';

/** The flags that put typed artifacts beside a message. */
export const ARTIFACT_FLAGS: FlagTable = {
  diff: { value: 'FILE', multiple: true, help: 'A unified diff; - is stdin' },
  test: { value: 'CMD', multiple: true, help: 'A command that shows it; nobody runs it by itself' },
  contract: { value: 'FILE|URL', multiple: true, help: 'An API contract' },
  link: { value: 'URL', multiple: true, help: 'A link' },
  file: { value: 'PATH:LINES', multiple: true, help: 'A place in the repository: src/a.ts:10-20' },
};

/** Contracts are known by their file's ending; what is in a YAML or JSON file is looked at. */
const FORMATS: Readonly<Record<string, string>> = { '.graphql': 'graphql', '.gql': 'graphql', '.proto': 'protobuf' };

/** The artifacts that the flags ask for, in the order of the table. Fails with a UsageError or FILE_NOT_READABLE. */
export async function readArtifacts({ flags, readText }: Given): Promise<{ artifacts?: TypedArtifact[] }> {
  const artifacts: TypedArtifact[] = [];
  const add = (flag: string, artifact: object): void => {
    const parsed = typedArtifactSchema.safeParse(artifact);
    if (!parsed.success) throw new UsageError(`--${flag}: ${parsed.error.issues[0]?.message ?? 'not understood'}.`);
    artifacts.push(parsed.data);
  };
  for (const path of flags.texts('diff')) {
    const diff = await readText(path);
    if (diff.trim() === '') throw new UsageError(`--diff: ${path} is empty.`);
    add('diff', { type: 'file_diff', diff, ...onlyPath(diff) });
  }
  for (const command of flags.texts('test')) add('test', { type: 'test_command', command });
  for (const place of flags.texts('contract')) {
    if (/^https?:/i.test(place)) {
      add('contract', { type: 'api_contract', schema_url: place, format: contractFormat(place, '') });
    } else {
      const inline = await readText(place);
      add('contract', { type: 'api_contract', inline, format: contractFormat(place, inline) });
    }
  }
  for (const url of flags.texts('link')) add('link', { type: 'link', url });
  for (const place of flags.texts('file')) add('file', { type: 'file_ref', ...readPlace(place) });
  return artifacts.length === 0 ? {} : { artifacts };
}

/** The path a diff is about, when it is about one file only. */
function onlyPath(diff: string): { path?: string } {
  const paths = Array.from(diff.matchAll(/^--- .*\r?\n\+\+\+ (?:b\/)?([^\t\r\n]+)/gm), (match) => match[1]);
  const [path] = paths;
  return paths.length === 1 && path !== undefined && path !== '/dev/null' ? { path } : {};
}

function contractFormat(place: string, text: string): string {
  const known = FORMATS[extname(place).toLowerCase()];
  if (known !== undefined) return known;
  if (/^\s*["']?asyncapi["']?\s*:/m.test(text)) return 'asyncapi';
  return /^\s*["']?\$schema["']?\s*:/m.test(text) ? 'json-schema' : 'openapi';
}

/** `path`, `path:12` or `path:12-20`. */
function readPlace(place: string): { path: string; lines?: [number, number] } {
  const match = /^(.+):(\d+)(?:-(\d+))?$/.exec(place);
  if (match === null) return { path: place };
  const [, path = '', first = '', last = first] = match;
  const lines: [number, number] = [Number(first), Number(last)];
  if (lines[0] > lines[1]) throw new UsageError(`--file: ${place} ends before it begins.`);
  return { path, lines };
}
