import { describe, expect, it } from 'vitest';
import { listenOnPort } from '../../../main/listen.ts';
import { StartError } from '../../../main/start-error.ts';

/** A machine on which some ports cannot be had. */
function machine(refused: Readonly<Record<number, string>>) {
  const tried: number[] = [];
  const listen = async (port: number): Promise<string> => {
    tried.push(port);
    const code = refused[port];
    if (code !== undefined) throw Object.assign(new Error(code), { code });
    return `http://127.0.0.1:${port === 0 ? 50_000 : port}`;
  };
  return { tried, listen };
}

describe('the default port', () => {
  it('is taken without a word when it is free', async () => {
    const { listen } = machine({});
    expect(await listenOnPort(listen, { port: 7319, portIsDefault: true })).toEqual({ url: 'http://127.0.0.1:7319' });
  });

  it('gives way to the next free one, and that is said', async () => {
    const { listen } = machine({ 7319: 'EADDRINUSE', 7320: 'EADDRINUSE' });
    const { url, notice } = await listenOnPort(listen, { port: 7319, portIsDefault: true });
    expect(url).toBe('http://127.0.0.1:7321');
    expect(notice).toMatch(/7319 is taken.*http:\/\/127\.0\.0\.1:7321/);
  });

  it('gives way to any free one when its neighbours are taken', async () => {
    const { listen, tried } = machine(
      Object.fromEntries(Array.from({ length: 30 }, (_, i) => [7319 + i, 'EADDRINUSE'])),
    );
    expect((await listenOnPort(listen, { port: 7319, portIsDefault: true })).url).toBe('http://127.0.0.1:50000');
    expect(tried.at(-1)).toBe(0);
  });
});

describe('a port that was asked for', () => {
  it('is an error that says what to do when it is taken; no other is tried', async () => {
    const { listen, tried } = machine({ 8000: 'EADDRINUSE' });
    const listening = listenOnPort(listen, { port: 8000, portIsDefault: false });
    await expect(listening).rejects.toThrow(StartError);
    await expect(listening).rejects.toThrow(/8000 is taken.*--port/);
    expect(tried).toEqual([8000]);
  });

  it('is an error that says what to do when it is kept for administrators', async () => {
    const { listen } = machine({ 80: 'EACCES' });
    await expect(listenOnPort(listen, { port: 80, portIsDefault: false })).rejects.toThrow(/--port/);
  });
});

it('another error of the system is passed on as it is', async () => {
  const { listen } = machine({ 7319: 'EMFILE' });
  await expect(listenOnPort(listen, { port: 7319, portIsDefault: true })).rejects.toMatchObject({ code: 'EMFILE' });
});
