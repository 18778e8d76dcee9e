import type { AgentRelayBridge } from '../../relay/contract/bridge.ts';
import { unreachable, type DeskClient } from '../desk-client.ts';
import { openEnvelope, readEvent } from './envelope.ts';

declare global {
  interface Window {
    /** Put there by the preload of the Electron shell, and absent in a browser. */
    readonly agentrelay?: AgentRelayBridge;
  }
}

/** The desk over Electron's IPC. The main process lives as long as the window, so the connection is never lost. */
export function ipcClient(bridge: AgentRelayBridge): DeskClient {
  return {
    async call(command, input) {
      const answer = await bridge.call(command, input).catch(() => {
        throw unreachable();
      });
      return openEnvelope(command, answer);
    },
    subscribe(afterSeq, onEvent, onConnection) {
      onConnection({ state: 'open' });
      return bridge.onEvent(afterSeq, (data) => {
        const event = readEvent(data);
        if (event !== undefined) onEvent(event);
      });
    },
  };
}
