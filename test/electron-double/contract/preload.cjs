// The bridge of the contract tests: every kind of thing that crosses it.
const { contextBridge, ipcRenderer } = require('electron');

contextBridge.exposeInMainWorld('bridge', {
  nested: { list: [1, 2] },
  add: (a, b) => a + b,
  apply: (callback, value) => callback(value),
  throws: () => {
    throw new Error('from the preload');
  },
  invoke: (channel, ...args) => ipcRenderer.invoke(channel, ...args),
  send: (channel, ...args) => ipcRenderer.send(channel, ...args),
  on: (channel, listener) => {
    const forward = (_event, ...args) => listener(...args);
    ipcRenderer.on(channel, forward);
    return () => void ipcRenderer.off(channel, forward);
  },
  again: () => contextBridge.exposeInMainWorld('bridge', {}),
});
