import type { decode, encode, Wire } from './wire.ts';
import type { Link } from './worlds.ts';

/** What a page's preload sends to the main process. */
export type FromPage =
  | { readonly op: 'invoke'; readonly id: number; readonly channel: string; readonly args: Wire }
  | { readonly op: 'send'; readonly channel: string; readonly args: Wire }
  | { readonly op: 'preload-error'; readonly text: string };

/** What the main process sends to a page's preload. */
export type ToPage =
  | { readonly op: 'reply'; readonly id: number; readonly result: Wire }
  | { readonly op: 'refuse'; readonly id: number; readonly error: string }
  | { readonly op: 'message'; readonly channel: string; readonly args: Wire };

/** What the host needs of its surroundings. */
export interface Surroundings {
  readonly link: Link;
  readonly send: (message: string) => void;
  readonly platform: string;
  readonly encode: typeof encode;
  readonly decode: typeof decode;
}

/** What runs a preload. */
export interface PreloadHost {
  /** Takes a message from the main process. */
  receive(message: ToPage): void;
  run(preload: (require: (name: string) => unknown, module: { exports: object }, process: object) => void): void;
}

/**
 * Stands for Electron's sandboxed preload environment: `require('electron')` with `contextBridge` and `ipcRenderer`, and
 * nothing else. Runs in the page: its source is put into it, so it stands alone.
 */
export function hostPreload({ link, send, platform, encode, decode }: Surroundings): PreloadHost {
  type Listener = (event: object, ...args: unknown[]) => void;
  const listeners = new Map<string, Listener[]>();
  const invocations = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let lastInvocation = 0;

  const only = <T extends object>(name: string, members: T): T =>
    new Proxy(members, {
      get(target, property) {
        if (!(property in target)) throw new Error(`electron double: ${name}.${String(property)} is not implemented`);
        return Reflect.get(target, property) as unknown;
      },
    });
  const post = (message: FromPage): void => send(JSON.stringify(message));

  const ipcRenderer = only('ipcRenderer', {
    invoke(channel: string, ...args: unknown[]): Promise<unknown> {
      const id = ++lastInvocation;
      post({ op: 'invoke', id, channel, args: encode(args) });
      return new Promise((resolve, reject) => invocations.set(id, { resolve, reject }));
    },
    send(channel: string, ...args: unknown[]): void {
      post({ op: 'send', channel, args: encode(args) });
    },
    on(channel: string, listener: Listener): object {
      listeners.set(channel, [...(listeners.get(channel) ?? []), listener]);
      return ipcRenderer;
    },
    off(channel: string, listener: Listener): object {
      const left = [...(listeners.get(channel) ?? [])];
      const index = left.lastIndexOf(listener);
      if (index >= 0) left.splice(index, 1);
      listeners.set(channel, left);
      return ipcRenderer;
    },
  });
  const contextBridge = only('contextBridge', {
    exposeInMainWorld: (key: string, api: unknown): void => void link.call(0, [key, api]),
  });
  const electron = only('electron', { contextBridge, ipcRenderer });

  return {
    receive(message) {
      switch (message.op) {
        case 'message':
          for (const listener of listeners.get(message.channel) ?? []) {
            listener(only('the event of ipcRenderer', {}), ...(decode(message.args) as unknown[]));
          }
          break;
        case 'reply':
          invocations.get(message.id)?.resolve(decode(message.result));
          invocations.delete(message.id);
          break;
        case 'refuse':
          invocations.get(message.id)?.reject(new Error(message.error));
          invocations.delete(message.id);
      }
    },
    run(preload) {
      const require = (name: string): unknown => {
        if (name === 'electron') return electron;
        throw new Error(`module not found: ${name}`);
      };
      try {
        preload(require, { exports: {} }, only('process', { platform, sandboxed: true, contextIsolated: true }));
      } catch (error) {
        post({ op: 'preload-error', text: error instanceof Error ? (error.stack ?? error.message) : String(error) });
      }
    },
  };
}
