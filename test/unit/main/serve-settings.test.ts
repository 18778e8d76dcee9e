import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFlags, type FlagValue } from '../../../main/cli/flags.ts';
import { readServeSettings } from '../../../main/serve/serve-settings.ts';
import { DEFAULT_PORT, type Machine } from '../../../main/settings.ts';
import { UsageError } from '../../../main/start-error.ts';
import { sourcesOf } from '../../integration/relay/conformance/requirements/titles.ts';

const machine: Machine = {
  env: {},
  platform: 'linux',
  homeDir: '/home/frank',
  hostName: 'Acme Box',
  userName: 'frank',
  cwd: '/work',
};

const read = (flags: Record<string, FlagValue> = {}, env: Machine['env'] = {}) =>
  readServeSettings(createFlags(flags), { ...machine, env });

const CERTIFICATE = { 'tls-cert': 'cert.pem', 'tls-key': 'key.pem' };

describe('a team relay without settings', () => {
  it('listens on this machine alone, at the usual port, and takes whom it has invited', () => {
    expect(read()).toEqual({
      home: '/home/frank/.local/share/agentrelay',
      relayName: 'acme-box',
      host: '127.0.0.1',
      port: DEFAULT_PORT,
      openProfile: false,
      strictCards: false,
      webhookAllow: [],
      rateLimits: {},
      logLevel: 'info',
      warnings: [],
    });
  });
});

describe('flags', () => {
  it('come before the environment', () => {
    const env = { AGENTRELAY_HOME: '/env', AGENTRELAY_PORT: '8000', AGENTRELAY_NAME: 'env', AGENTRELAY_LOG: 'debug' };
    expect(read({}, env)).toMatchObject({ home: '/env', port: 8000, relayName: 'env', logLevel: 'debug' });
    expect(read({ data: 'd', home: '/home', port: '0', name: 'Acme' }, env)).toMatchObject({
      home: resolve('/work', 'd'),
      port: 0,
      relayName: 'acme',
    });
    expect(read({ home: '/home' }, env).home).toBe('/home');
  });

  it('set every limit by itself', () => {
    expect(read({ 'limit-key': '5', 'limit-wrong-keys': '7' }).rateLimits).toEqual({ perKey: 5, wrongKeys: 7 });
    expect(read({ 'limit-address': '1', 'limit-registrations': '2' }).rateLimits).toEqual({
      perAddress: 1,
      registrations: 2,
    });
  });

  it('name hosts that webhooks may be on', () => {
    expect(read({ 'allow-webhook': ['hooks.acme.lan', '10.0.0.0/8'] }).webhookAllow).toEqual([
      'hooks.acme.lan',
      '10.0.0.0/8',
    ]);
  });

  it('take localhost for one address: two would be two servers', () => {
    expect(read({ host: 'localhost' }).host).toBe('127.0.0.1');
    expect(read({ host: '[::1]' }).host).toBe('::1');
  });

  it.each([
    ['0:0:0:0:0:0:0:1', '::1'],
    ['::ffff:127.0.0.1', '127.0.0.1'],
    ['127.1', '127.0.0.1'],
    ['0x7f000001', '127.0.0.1'],
  ])('take an address in every spelling: %s', (host, plain) => {
    expect(read({ host }).host).toBe(plain);
  });

  it.each([
    ['http://hooks.internal', 'hooks.internal'],
    ['http://hooks.internal:8080/path', 'hooks.internal'],
    ['hooks.internal.', 'hooks.internal'],
    ['hooks.internal:443', 'hooks.internal'],
    ['127.0.0.1:8080', '127.0.0.1'],
    ['127.1', '127.0.0.1'],
    ['[::1]', '::1'],
    ['[::1]:8080', '::1'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['bücher.example', 'xn--bcher-kva.example'],
  ])('say what to write in the place of the webhook host %s', (entry, better) => {
    expect(() => read({ 'allow-webhook': [entry] })).toThrow(UsageError);
    expect(() => read({ 'allow-webhook': [entry] })).toThrow(`--allow-webhook is`);
    expect(() => read({ 'allow-webhook': [entry] })).toThrow(` Write "${better}".`);
    expect(read({ 'allow-webhook': [better] }).webhookAllow).toEqual([better]);
  });

  it.each([
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0/8',
    '::1/129',
    '::ffff:10.0.0.0/104',
    '*.internal',
    'hooks.internal/x',
    '',
  ])('refuse a webhook host that nothing can match: %j', (entry) => {
    expect(() => read({ 'allow-webhook': [entry] })).toThrow(/--allow-webhook is .*10\.0\.0\.0\/8/);
  });

  it.each(['localhost', 'Hooks.Internal', 'build_box', '10.0.0.7', 'fd00::7', '10.0.0.0/8', 'fd00::/8', '0.0.0.0/0'])(
    'take a webhook host: %s',
    (entry) => {
      expect(read({ 'allow-webhook': [entry] }).webhookAllow).toEqual([entry]);
    },
  );

  it.each(['10.0.0.1', '10.0.0.0/8', 'fd00::1', 'fd00::/8'])('take a proxy: %s', (proxy) => {
    const flags = { proxy: [proxy], 'public-url': 'https://relay.example.com' };
    expect(read(flags).proxies).toEqual(['loopback', proxy]);
  });

  it.each<Record<string, FlagValue>>([
    { port: '70000' },
    { host: '' },
    { host: '127.0.0.1:80' },
    { host: 'http://acme' },
    { 'tls-cert': 'cert.pem' },
    { 'tls-key': 'key.pem' },
    { 'public-url': 'relay.example.com' },
    { 'public-url': 'ftp://relay.example.com' },
    { 'public-url': 'https://user@relay.example.com' },
    { 'public-url': 'https://relay.example.com/?a' },
    { 'public-url': 'https://:secret@relay.example.com' },
    { registration: 'everybody' },
    { 'limit-key': '0' },
    { proxy: ['10.0.0.1'] },
    { proxy: ['10.0.0.1'], 'public-url': 'https://relay.example.com', ...CERTIFICATE },
    { proxy: ['nearby'], 'public-url': 'https://relay.example.com' },
    { proxy: ['0.0.0.0/0'], 'public-url': 'https://relay.example.com' },
    { proxy: ['::/0'], 'public-url': 'https://relay.example.com' },
    { proxy: ['10.0.0.0/33'], 'public-url': 'https://relay.example.com' },
    { proxy: ['10.1'], 'public-url': 'https://relay.example.com' },
    { proxy: ['::1%lo'], 'public-url': 'https://relay.example.com' },
  ])('are refused where they make no sense: %j', (flags) => {
    expect(() => read(flags)).toThrow(UsageError);
  });
});

describe('a relay beyond this machine', () => {
  it.each<Record<string, FlagValue>>([
    { host: '192.0.2.7' },
    { host: 'relay.acme.lan' },
    { host: '192.0.2.7', 'public-url': 'http://relay.acme.lan' },
    { 'public-url': 'http://relay.example.com' },
  ])(`has to say how keys are kept from being read: %j (A2A ${sourcesOf(['7.1-1', '13.4-1'])})`, (flags) => {
    expect(() => read(flags)).toThrow(/readable.*--tls-cert.*--public-url.*--insecure/);
    expect(read({ ...flags, insecure: true }).warnings).toEqual([expect.stringContaining('readable')]);
  });

  it.each<Record<string, FlagValue>>([
    { host: '192.0.2.7', ...CERTIFICATE },
    { host: '192.0.2.7', 'public-url': 'https://relay.example.com' },
    { 'public-url': 'https://relay.example.com' },
  ])('may be one with TLS, its own or a proxy’s: %j', (flags) => {
    expect(read(flags).warnings).toEqual([]);
  });

  it.each(['0.0.0.0', '::', '0', '0x0', '0.0', '::0', '[0:0:0:0:0:0:0:0]', '::ffff:0.0.0.0'])(
    'on %s has to say where others reach it',
    (host) => {
      expect(() => read({ host, ...CERTIFICATE })).toThrow(/--public-url/);
      expect(read({ host, ...CERTIFICATE, 'public-url': 'https://relay.example.com:7319/' })).toMatchObject({
        host: expect.stringMatching(/^(0\.0\.0\.0|::)$/),
        publicUrl: 'https://relay.example.com:7319',
        tls: { cert: 'cert.pem', key: 'key.pem' },
      });
    },
  );

  it('believes a proxy what it forwards, and without one nobody', () => {
    const url = { 'public-url': 'https://relay.example.com' };
    expect(read(url).proxies).toEqual(['loopback']);
    expect(read({ ...url, proxy: ['10.0.0.1', 'fd00::/8'] }).proxies).toEqual(['loopback', '10.0.0.1', 'fd00::/8']);
    expect(read({ ...url, ...CERTIFICATE })).not.toHaveProperty('proxies');
    expect(read()).not.toHaveProperty('proxies');
  });
});

describe('the open profile', () => {
  it('is for this machine alone, and said aloud', () => {
    expect(read({ 'open-profile': true })).toMatchObject({
      openProfile: true,
      host: '127.0.0.1',
      warnings: [expect.stringContaining('tests only')],
    });
  });

  it.each<Record<string, FlagValue>>([
    { host: '192.0.2.7', insecure: true },
    { host: '0.0.0.0', ...CERTIFICATE, 'public-url': 'https://relay.example.com' },
    { 'public-url': 'https://relay.example.com' },
  ])('is refused where others could reach it: %j', (flags) => {
    expect(() => read({ ...flags, 'open-profile': true })).toThrow(/--open-profile/);
  });
});
