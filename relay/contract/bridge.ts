import type { CommandName, Envelope } from './desk-api.ts';

/**
 * What the Electron shell's preload puts into the window as `window.agentrelay`. The window checks what it gets as it
 * does over HTTP, so both sides are untyped here.
 */
export interface AgentRelayBridge {
  /** Answers with an envelope; rejects only when the main process is gone. */
  call(command: CommandName, input: unknown): Promise<Envelope<unknown>>;
  /** Desk events after `afterSeq`, then live ones. Returns the unsubscribe function. */
  onEvent(afterSeq: number, listener: (event: unknown) => void): () => void;
}
