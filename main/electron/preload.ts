import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron';
import type { AgentRelayBridge } from '../../relay/contract/bridge.ts';
import { DESK_CALL, DESK_EVENT, DESK_SUBSCRIBE, DESK_UNSUBSCRIBE } from './desk-channels.ts';

// Runs in the sandbox, in a world of its own. The window gets these functions and no part of Electron.
let lastSubscription = 0;

const bridge: AgentRelayBridge = {
  call: (command, input) => ipcRenderer.invoke(DESK_CALL, command, input),
  onEvent: (afterSeq, listener) => {
    const id = ++lastSubscription;
    const forward = (_event: IpcRendererEvent, subscription: number, event: unknown): void => {
      if (subscription === id) listener(event);
    };
    ipcRenderer.on(DESK_EVENT, forward);
    ipcRenderer.send(DESK_SUBSCRIBE, id, afterSeq);
    return () => {
      ipcRenderer.off(DESK_EVENT, forward);
      ipcRenderer.send(DESK_UNSUBSCRIBE, id);
    };
  },
};

contextBridge.exposeInMainWorld('agentrelay', bridge);
