import { expect, test } from 'vitest';
import { appArguments } from '../../../main/electron/arguments.ts';

test.each([
  ['the checkout', ['electron', '.', '--home', '/data'], ['--home', '/data']],
  ['a script', ['node', '/app/out/main/index.js', '--port', '0'], ['--port', '0']],
  ['nothing else', ['electron', '.'], []],
  ['switches of Electron’s own', ['electron', '--inspect=0', '--no-sandbox', '.', '--headless'], ['--headless']],
])('unpackaged, ours come after %s', (_what, argv, ours) => {
  expect(appArguments(argv, false)).toEqual(ours);
});

test('packaged, all are ours', () => {
  expect(appArguments(['/opt/AgentRelay/agentrelay', '--headless', '--home', '/data'], true)).toEqual([
    '--headless',
    '--home',
    '/data',
  ]);
});
