import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createWebhookGuard, NotAllowed, type Resolve } from '../../../relay/notify/webhook-guard.ts';

/** A resolver that knows a few names, and for each look-up the next of its answers. */
function names(known: Readonly<Record<string, readonly string[][]>>): Resolve {
  const asked = new Map<string, number>();
  return (name) => {
    const answers = known[name];
    if (answers === undefined) return Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }));
    const count = asked.get(name) ?? 0;
    asked.set(name, count + 1);
    const addresses = answers[Math.min(count, answers.length - 1)] ?? [];
    return Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
  };
}
const guard = (known: Parameters<typeof names>[0] = {}, allow: readonly string[] = []) =>
  createWebhookGuard({ resolve: names(known), allow });

describe('addresses', () => {
  test.each([
    ['loopback', 'http://127.0.0.1/'],
    ['all of loopback', 'http://127.8.9.1:8080/'],
    ['loopback as one number', 'http://2130706433/'],
    ['loopback in octal', 'http://0177.0.0.1/'],
    ['loopback in hexadecimal', 'http://0x7f.1/'],
    ['loopback in short', 'http://127.1/'],
    ['loopback in wide digits', 'http://１２７.0.0.1/'],
    ['this host', 'http://0.0.0.0/'],
    ['private', 'https://10.1.2.3/'],
    ['private', 'https://172.31.255.255/'],
    ['private', 'https://192.168.0.1/'],
    ['the metadata of a cloud', 'http://169.254.169.254/latest/meta-data/'],
    ['shared by a carrier', 'http://100.64.0.1/'],
    ['multicast', 'http://224.0.0.1/'],
    ['broadcast', 'http://255.255.255.255/'],
    ['reserved', 'http://240.0.0.1/'],
    ['for documentation', 'http://192.0.2.1/'],
    ['for benchmarks', 'http://198.18.0.1/'],
    ['IPv6 loopback', 'http://[::1]/'],
    ['IPv6 nothing', 'http://[::]/'],
    ['IPv6 link-local', 'http://[fe80::1]/'],
    ['IPv6 unique local', 'http://[fd12:3456::1]/'],
    ['IPv6 site-local', 'http://[fec0::1]/'],
    ['IPv6 multicast', 'http://[ff02::1]/'],
    ['IPv4 in IPv6', 'http://[::ffff:127.0.0.1]/'],
    ['IPv4 in IPv6, old form', 'http://[::127.0.0.1]/'],
    ['IPv4 behind NAT64', 'http://[64:ff9b::7f00:1]/'],
    ['IPv4 in 6to4', 'http://[2002:7f00:1::]/'],
    ['Teredo', 'http://[2001:0:1::1]/'],
  ])('that are %s are refused: %s', async (_what, url) => {
    expect(await guard().complaint(url)).toMatch(/^leads to an address that is not on the public internet/);
    await expect(guard().pin(new URL(url))).rejects.toThrow(NotAllowed);
  });

  test.each(['https://8.8.8.8/hook', 'http://93.184.216.34:8080/', 'https://[2606:4700::1111]/'])(
    'of the public internet are not: %s',
    async (url) => {
      expect(await guard().complaint(url)).toBeUndefined();
    },
  );

  test('are given as a connection wants them', async () => {
    expect(await guard().pin(new URL('https://8.8.8.8/'))).toEqual({ address: '8.8.8.8', family: 4 });
    expect(await guard().pin(new URL('https://[2606:4700::1111]/'))).toEqual({ address: '2606:4700::1111', family: 6 });
  });
});

describe('names', () => {
  test.each(['localhost', 'LOCALHOST', 'localhost.', 'intranet.example'])(
    'that lead to a private address are refused: %s',
    async (host) => {
      const known = { localhost: [['127.0.0.1']], 'intranet.example': [['10.0.0.5']] };
      expect(await guard(known).complaint(`http://${host}/hook`)).toMatch(/public internet/);
    },
  );

  test('that lead to a public and a private address are refused', async () => {
    const known = { 'both.example': [['93.184.216.34', '127.0.0.1']] };
    expect(await guard(known).complaint('https://both.example/')).toMatch(/public internet/);
  });

  test('that cannot be looked up yet are let through, and looked up for each call', async () => {
    expect(await guard().complaint('https://soon.example/')).toBeUndefined();
    await expect(guard().pin(new URL('https://soon.example/'))).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  test('whose look-up hangs are let through after a moment', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
    onTestFinished(() => timeout.mockRestore());
    const hanging = createWebhookGuard({ resolve: () => new Promise(() => undefined), allow: [] });
    expect(await hanging.complaint('https://hanging.example/')).toBeUndefined();
  });

  test('that mean another address the second time are refused then', async () => {
    const rebinding = guard({ 'rebind.example': [['93.184.216.34'], ['127.0.0.1']] });
    expect(await rebinding.complaint('https://rebind.example/')).toBeUndefined();
    await expect(rebinding.pin(new URL('https://rebind.example/'))).rejects.toThrow(NotAllowed);
  });

  test('without any address are no place to connect to', async () => {
    await expect(guard({ 'empty.example': [[]] }).pin(new URL('https://empty.example/'))).rejects.toThrow('no address');
  });
});

describe('what the owner allows', () => {
  const known = { 'hooks.internal': [['10.0.0.5']], localhost: [['127.0.0.1', '::1']] };
  test.each([
    ['a name', 'http://hooks.internal/', ['hooks.internal']],
    ['a name in another case', 'http://hooks.internal/', ['HOOKS.internal']],
    ['an address', 'http://127.0.0.1:9/', ['127.0.0.1']],
    ['a range', 'http://10.200.0.1/', ['10.0.0.0/8']],
    ['an IPv6 address', 'http://[::1]/', ['::1']],
    ['the addresses of a name', 'http://localhost/', ['127.0.0.1', '::1']],
  ])('%s may be called', async (_what, url, allow) => {
    expect(await guard(known, allow).complaint(url)).toBeUndefined();
  });

  test('says nothing of others', async () => {
    const allowed = guard(known, ['hooks.internal', '10.1.0.0/16']);
    expect(await allowed.complaint('http://10.0.0.5/')).toMatch(/public internet/);
    expect(await allowed.complaint('http://127.0.0.1/')).toMatch(/public internet/);
  });
});

describe('what is no address of a webhook', () => {
  test.each(['', 'hook', '/hook', 'ftp://example.com/', 'file:///etc/passwd', 'javascript:alert(1)', 'http://'])(
    'is refused: %s',
    async (url) => {
      expect(await guard().complaint(url)).toBe('must be an http or https address');
    },
  );

  test('nor is one with a password in it', async () => {
    expect(await guard().complaint('https://user:pw@example.com/')).toMatch(/Put credentials into authentication/);
    expect(await guard().complaint('https://user@example.com/')).toMatch(/Put credentials into authentication/);
  });
});
