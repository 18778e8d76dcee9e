import { createSocket, type Socket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createResolve } from '../../../relay/notify/resolve.ts';

const TYPES = { a: 1, aaaa: 28 } as const;

/** A name server on loopback that knows addresses of some names, says of others that there are none, or says nothing. */
async function nameServer(known: (name: string) => readonly string[] | 'silence') {
  const asked: string[] = [];
  const socket: Socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const { name, type, question } = readQuestion(query);
    asked.push(`${type === TYPES.a ? 'A' : 'AAAA'} ${name}`);
    const answer = known(name);
    if (answer === 'silence') return;
    const addresses = type === TYPES.a ? answer : [];
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(answer.length === 0 ? 0x8183 : 0x8180, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(addresses.length, 6);
    const records = addresses.map((address) =>
      Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split('.').map(Number)]),
    );
    socket.send(Buffer.concat([header, question, ...records]), from.port, from.address);
  });
  await new Promise<void>((resolve) => {
    socket.bind(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    socket.close();
  });
  const { port } = socket.address() as AddressInfo;
  const resolve = createResolve(() => {
    // what is answered at once must not be given up where the machine is busy
    const resolver = new Resolver({ timeout: 500, tries: 1 });
    resolver.setServers([`127.0.0.1:${port}`]);
    return resolver;
  });
  return { asked, resolve };
}

function readQuestion(query: Buffer): { name: string; type: number; question: Buffer } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), question: query.subarray(12, at + 5) };
}

describe('a name', () => {
  test('has the addresses that its name server says', async () => {
    const { resolve } = await nameServer(() => ['93.184.216.34', '93.184.216.35']);
    expect(await resolve('hooks.test')).toEqual([
      { address: '93.184.216.34', family: 4 },
      { address: '93.184.216.35', family: 4 },
    ]);
  });

  test('that no name server knows is asked of the system, which knows its own', async () => {
    const { resolve } = await nameServer(() => []);
    expect((await resolve('localhost')).map(({ address }) => address)).toContain('127.0.0.1');
  });

  test('is asked for once at a time', async () => {
    const { asked, resolve } = await nameServer(() => ['93.184.216.34']);
    await Promise.all(Array.from({ length: 20 }, () => resolve('hooks.test')));
    expect(asked.toSorted()).toEqual(['A hooks.test', 'AAAA hooks.test']);
    await resolve('hooks.test');
    expect(asked).toHaveLength(4);
  });

  test('whose name server says nothing is given up, and holds up no other one', async () => {
    const { resolve } = await nameServer((name) => (name.startsWith('slow') ? 'silence' : ['93.184.216.34']));
    const slow = Array.from({ length: 40 }, (_one, index) => resolve(`slow${index}.test`));
    const settled = Promise.allSettled(slow);
    expect(await resolve('quick.test')).toHaveLength(1);
    expect(await resolve('127.0.0.1.quick.test')).toHaveLength(1);
    for (const outcome of await settled) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'ETIMEOUT' } });
    }
  });
});
