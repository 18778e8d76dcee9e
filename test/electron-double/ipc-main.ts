import type * as Electron from 'electron';
import { EventEmitter } from 'node:events';
import { EMITTER, strict } from './strict.ts';

const MEMBERS = ['handle'] as const satisfies readonly (keyof Electron.IpcMain)[];

type Handler = Parameters<Electron.IpcMain['handle']>[1];

/** How an invocation ends: with a result, or with the text of an error. */
export type Reply = { readonly result: unknown } | { readonly error: string };

class DoubleIpcMain extends EventEmitter implements Pick<Electron.IpcMain, (typeof MEMBERS)[number]> {
  readonly #handlers = new Map<string, Handler>();

  handle(channel: string, handler: Handler): void {
    if (this.#handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
    if (typeof handler !== 'function') {
      throw new TypeError(`Expected handler to be a function, but found type '${typeof handler}'`);
    }
    this.#handlers.set(channel, handler);
  }

  /** Of an error only its text crosses. */
  async invoke(event: Electron.IpcMainInvokeEvent, channel: string, args: readonly unknown[]): Promise<Reply> {
    try {
      const handler = this.#handlers.get(channel);
      if (!handler) throw new Error(`No handler registered for '${channel}'`);
      return { result: structuredClone(await Promise.resolve(handler(event, ...args))) };
    } catch (error) {
      console.error(`Error occurred in handler for '${channel}':`, error);
      return { error: String(error) };
    }
  }
}

const implementation = new DoubleIpcMain();

export const ipcMain = strict('ipcMain', implementation, [...MEMBERS, ...EMITTER]);

/** The window's side of it: an invocation, and a message without an answer. */
export const received = {
  invoke: (...args: Parameters<DoubleIpcMain['invoke']>): Promise<Reply> => implementation.invoke(...args),
  send: (event: Electron.IpcMainEvent, channel: string, args: readonly unknown[]): void =>
    void implementation.emit(channel, event, ...args),
};
