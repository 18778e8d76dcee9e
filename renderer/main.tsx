import './styles/tokens.css';
import './styles/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { z } from 'zod';
import { App } from './app.tsx';
import { createActions } from './state/actions.ts';
import { createComposeStore } from './state/compose-store.ts';
import { createDeskStore, dispatch } from './state/desk-store.ts';
import { isStacked } from './state/layout.ts';
import { browserStorage } from './state/storage.ts';
import { startSync } from './state/sync.ts';
import { keepTerminal } from './state/terminal.ts';
import { createUiStore } from './state/ui-store.ts';
import { browserPorts, httpClient } from './transports/http.ts';
import { ipcClient } from './transports/ipc.ts';
import { browserSession, startSession } from './transports/session.ts';
import { WindowProvider } from './window-context.ts';

// the policy of this page forbids code made from text, which is how zod would speed itself up
z.config({ jitless: true });

const storage = browserStorage();
const desk = createDeskStore();
const ui = createUiStore(storage);
const compose = createComposeStore(storage);
keepTerminal(desk, ui);

const bridge = window.agentrelay;
const ports = browserPorts();
const session = bridge === undefined ? await startSession(browserSession()) : 'no_token';
// another link that is opened in this tab changes only what is behind the #, which loads nothing by itself
if (bridge === undefined) window.addEventListener('hashchange', () => window.location.reload());
const client = bridge === undefined ? httpClient(ports) : ipcClient(bridge);
const { selected } = ui.getState();
if (selected !== undefined && 'taskId' in selected) dispatch(desk, { type: 'thread_opened', ...selected });
const sync = startSync(client, desk, ports);
const actions = createActions({
  client,
  desk,
  ui,
  compose,
  retry: sync.refresh,
  newKey: () => crypto.randomUUID(),
  isStacked,
});

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root.');
createRoot(root).render(
  <StrictMode>
    <WindowProvider value={{ desk, ui, compose, actions }}>
      <App session={session} />
    </WindowProvider>
  </StrictMode>,
);
