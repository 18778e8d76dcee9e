import { describe, expect, it } from 'vitest';
import { socketPlace, type SocketMachine } from '../../../main/mcp/socket-path.ts';
import { StartError } from '../../../main/start-error.ts';

const machine: SocketMachine = { platform: 'linux', runtimeDir: '/run/user/1000', tmpDir: '/tmp', uid: 1000 };
/** A data folder whose own socket path has exactly that many bytes. */
const homeFor = (bytes: number): string => `/${'h'.repeat(bytes - '//run/mcp.sock'.length)}`;

describe('the place of the socket', () => {
  it('is in the data folder where its path fits', () => {
    expect(socketPlace('/home/frank/data', machine)).toEqual({ path: '/home/frank/data/run/mcp.sock' });
  });

  it('fits up to 103 bytes and not one more', () => {
    expect(Buffer.byteLength(socketPlace(homeFor(103), machine).path)).toBe(103);
    expect(socketPlace(homeFor(103), machine).folder).toBeUndefined();
    expect(socketPlace(homeFor(104), machine).folder).toBe('/run/user/1000/agentrelay');
  });

  it('counts bytes, not characters', () => {
    expect(socketPlace(`/${'é'.repeat(50)}`, machine).folder).toBe('/run/user/1000/agentrelay');
  });

  it('is a folder of the user alone where there is no runtime folder', () => {
    const place = socketPlace(homeFor(150), { ...machine, runtimeDir: undefined });
    expect(place.folder).toBe('/tmp/agentrelay-1000');
    expect(place.path).toMatch(/^\/tmp\/agentrelay-1000\/[0-9a-f]{16}\.sock$/);
  });

  it('skips a runtime folder that is relative, as its specification says', () => {
    expect(socketPlace(homeFor(150), { ...machine, runtimeDir: 'run' }).folder).toBe('/tmp/agentrelay-1000');
  });

  it('skips a runtime folder that is too long itself', () => {
    expect(socketPlace(homeFor(150), { ...machine, runtimeDir: homeFor(120) }).folder).toBe('/tmp/agentrelay-1000');
  });

  it('is the same at every start and another one for another data folder', () => {
    expect(socketPlace(homeFor(150), machine)).toEqual(socketPlace(homeFor(150), machine));
    expect(socketPlace(homeFor(150), machine)).not.toEqual(socketPlace(homeFor(151), machine));
  });

  it('is a named pipe on Windows, however long the data folder is', () => {
    const place = socketPlace(homeFor(200), { ...machine, platform: 'win32' });
    expect(place).toEqual({ path: expect.stringMatching(/^\\\\\.\\pipe\\agentrelay-[0-9a-f]{16}$/) });
  });

  it('says what to do where nothing is short enough', () => {
    const nowhere = { ...machine, runtimeDir: undefined, tmpDir: homeFor(120) };
    expect(() => socketPlace(homeFor(150), nowhere)).toThrow(StartError);
    expect(() => socketPlace(homeFor(150), nowhere)).toThrow(/--home/);
  });
});
