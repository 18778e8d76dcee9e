import { describe, expect, it } from 'vitest';
import { createFlags } from '../../../main/cli/flags.ts';
import { worker } from '../../../main/cli/worker-command.ts';
import { thisMachine } from '../../../main/settings.ts';
import { UsageError } from '../../../main/start-error.ts';

type Values = Readonly<Record<string, string | boolean>>;

/** What the command makes of flags, before anything is looked for. */
async function prepare(values: Values, files: Readonly<Record<string, string>> = {}): Promise<unknown> {
  return worker.prepare({
    operands: [],
    flags: createFlags(values),
    as: {},
    machine: thisMachine(),
    readText: async (path) => files[path] ?? '',
  });
}

describe('agentrelay worker', () => {
  it.each<[string, Values]>([
    ['worker needs --exec and a command.', {}],
    ['worker needs --exec and a command.', { exec: ' ' }],
    ['--timeout is a number from 1 to 86400, not "0".', { exec: 'true', timeout: '0' }],
    ['--attempts is a number from 1 to 100, not "many".', { exec: 'true', attempts: 'many' }],
    ['--lease is a number from 1 to 3600, not "3601".', { exec: 'true', lease: '3601' }],
    ['--relay is an address such as http://127.0.0.1:7319, not "acme".', { exec: 'true', relay: 'acme' }],
    ['--relay is an address such as http://127.0.0.1:7319, not "file:///a".', { exec: 'true', relay: 'file:///a' }],
    ['--key-file: empty has to hold one key, and nothing else.', { exec: 'true', 'key-file': 'empty' }],
    ['--key-file: two has to hold one key, and nothing else.', { exec: 'true', 'key-file': 'two' }],
  ])('says %s', async (message, values) => {
    const call = prepare(values, { two: 'ar_a\nar_b\n' });
    await expect(call).rejects.toThrow(UsageError);
    await expect(call).rejects.toThrow(message);
  });

  it('takes a key with the line feed that files end with', async () => {
    const values = { exec: 'true', 'key-file': 'key', relay: 'http://127.0.0.1:7319', once: true };
    expect(await prepare(values, { key: 'ar_a\n' })).toMatchObject({ kind: 'alone' });
  });
});
