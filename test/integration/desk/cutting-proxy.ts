import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A wire between a desk and its relay that can be cut where it hurts. */
export interface CuttingProxy {
  readonly url: string;
  /** Where the wire leads. */
  target: string;
  /** Looks at each piece of what the relay says; true cuts the connection in its place. */
  cuts: (piece: string) => boolean;
}

export async function startCuttingProxy(): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    // a cut is an error on both ends, and the point
    return socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    keep(client);
    const upstream = keep(connect(Number(new URL(proxy.target).port), '127.0.0.1'));
    client.pipe(upstream);
    upstream.on('data', (piece) => {
      if (!proxy.cuts(piece.toString('utf8'))) client.write(piece);
      else {
        client.resetAndDestroy();
        upstream.destroy();
      }
    });
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.end());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });
  const { port } = server.address() as AddressInfo;
  const proxy: CuttingProxy = { url: `http://127.0.0.1:${port}`, target: '', cuts: () => false };
  return proxy;
}
