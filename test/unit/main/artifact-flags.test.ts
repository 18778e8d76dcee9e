import { describe, expect, it } from 'vitest';
import { readArtifacts } from '../../../main/cli/artifact-flags.ts';
import { createFlags, type FlagValue } from '../../../main/cli/flags.ts';
import { thisMachine } from '../../../main/settings.ts';
import { UsageError } from '../../../main/start-error.ts';

const FILES: Readonly<Record<string, string>> = {
  'one.diff': '--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-old\n+new\n',
  'two.diff': '--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1\n+2\n--- a/b\n+++ b/b\n@@ -1 +1 @@\n-1\n+2\n',
  'gone.diff': '--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n',
  'odd.diff': '--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+++ not a header\n',
  'empty.diff': '\n',
  'api.yaml': 'openapi: 3.1.0\n',
  'schema.json': '{\n  "$schema": "https://json-schema.org/draft/2020-12/schema"\n}',
  'events.yaml': 'asyncapi: 3.0.0\n',
  'api.proto': 'syntax = "proto3";',
};

const read = (values: Record<string, FlagValue>) =>
  readArtifacts({
    operands: [],
    as: {},
    machine: thisMachine(),
    flags: createFlags(values),
    readText: async (path) => FILES[path] ?? '',
  });

describe('the flags for artifacts', () => {
  it('give none when none is asked for', async () => {
    expect(await read({})).toEqual({});
  });

  it('give one of each, in a fixed order', async () => {
    const { artifacts = [] } = await read({
      file: ['src/a.ts:10-20'],
      link: ['https://acme.example/1'],
      contract: ['api.yaml'],
      test: ['npm test'],
      diff: ['one.diff'],
    });
    expect(artifacts).toEqual([
      { type: 'file_diff', path: 'src/a.ts', diff: FILES['one.diff'] },
      { type: 'test_command', command: 'npm test' },
      { type: 'api_contract', inline: FILES['api.yaml'], format: 'openapi' },
      { type: 'link', url: 'https://acme.example/1' },
      { type: 'file_ref', path: 'src/a.ts', lines: [10, 20] },
    ]);
  });

  it.each(['two.diff', 'gone.diff'])('give no path to %s', async (file) => {
    expect((await read({ diff: [file] })).artifacts).toEqual([{ type: 'file_diff', diff: FILES[file] }]);
  });

  it('are not misled by a line of a diff that looks like a header', async () => {
    expect((await read({ diff: ['odd.diff'] })).artifacts).toMatchObject([{ path: 'x' }]);
  });

  it.each([
    ['schema.json', 'json-schema'],
    ['events.yaml', 'asyncapi'],
    ['api.proto', 'protobuf'],
    ['https://acme.example/api.graphql', 'graphql'],
    ['https://acme.example/api.json', 'openapi'],
  ])('know the contract %s as %s', async (place, format) => {
    expect((await read({ contract: [place] })).artifacts).toMatchObject([{ type: 'api_contract', format }]);
  });

  it.each([
    ['src/a.ts', { path: 'src/a.ts' }],
    ['src/a.ts:7', { path: 'src/a.ts', lines: [7, 7] }],
    ['C:\\src\\a.ts:7-9', { path: 'C:\\src\\a.ts', lines: [7, 9] }],
  ])('read the place %s', async (place, expected) => {
    expect((await read({ file: [place] })).artifacts).toEqual([{ type: 'file_ref', ...expected }]);
  });

  it.each([
    ['an empty diff', { diff: ['empty.diff'] }, /--diff/],
    ['a link that is no URL', { link: ['acme'] }, /--link/],
    ['a place that ends before it begins', { file: ['a:9-7'] }, /--file/],
    ['a line that there is not', { file: ['a:0'] }, /--file/],
    ['no command', { test: [''] }, /--test/],
    ['a contract that is no URL', { contract: ['https://'] }, /--contract/],
  ])('refuse %s', async (_, values, flag) => {
    await expect(read(values)).rejects.toThrow(UsageError);
    await expect(read(values)).rejects.toThrow(flag);
  });
});
