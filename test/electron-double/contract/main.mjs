// The app of the contract tests. A test gives it functions as text: one that runs before Electron is ready, one that
// runs after it, and, over a socket, others that it calls and whose results it sends back. Runs in Electron and on the
// double alike.
import { mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { runInThisContext } from 'node:vm';
import * as electron from 'electron';

const { app, BrowserWindow, protocol } = electron;
const { CONTRACT_HOME, CONTRACT_BEFORE, CONTRACT_READY, CONTRACT_PORT } = process.env;

const PAGE = `<!doctype html><title>Contract</title>
<script src="/page.js"></script>
<script>window.inlineRan = true</script>
<a id="outside" href="https://example.com/link" target="_blank" rel="noopener">outside</a>`;
const FILES = { '/index.html': ['text/html', PAGE], '/page.js': ['text/javascript', 'window.pageRan = true'] };
const HEADERS = { 'content-security-policy': "default-src 'none'; script-src 'self'; connect-src *" };

const kit = {
  preloads: {
    bridge: join(import.meta.dirname, 'preload.cjs'),
    throwing: join(import.meta.dirname, 'throwing-preload.cjs'),
  },
  say: (value) => process.stdout.write(`SAID ${JSON.stringify(value)}\n`),
  open: async () => {
    const window = new BrowserWindow({ show: false, webPreferences: { preload: kit.preloads.bridge } });
    await window.loadURL('app://contract/index.html');
    return window;
  },
  failure: (act) => {
    try {
      act();
      return 'nothing thrown';
    } catch (error) {
      return String(error);
    }
  },
};
const evaluate = (text) => runInThisContext(`(${text})`)(electron, kit);

/** Runs what comes over the socket, one function after the other; the windows of one are gone before the next. */
async function serve(socket) {
  app.on('window-all-closed', () => {});
  for await (const text of createInterface({ input: socket })) {
    const reply = await Promise.resolve()
      .then(() => evaluate(JSON.parse(text)))
      .then(
        (value) => ({ value }),
        (error) => ({ error: String(error) }),
      );
    for (const window of BrowserWindow.getAllWindows()) window.destroy();
    socket.write(`${JSON.stringify(reply)}\n`);
  }
  app.exit(0);
}

async function main() {
  await app.whenReady();
  protocol.handle('app', ({ url }) => {
    const [type, body] = FILES[new URL(url).pathname] ?? [];
    return body
      ? new Response(body, { headers: { ...HEADERS, 'content-type': type } })
      : new Response('', { status: 404 });
  });
  if (CONTRACT_PORT) await serve(connect(Number(CONTRACT_PORT), '127.0.0.1'));
  else await evaluate(CONTRACT_READY);
}

mkdirSync(CONTRACT_HOME, { recursive: true });
app.setPath('userData', CONTRACT_HOME);
protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges: { standard: true, secure: true } }]);
evaluate(CONTRACT_BEFORE);
main().catch((error) => {
  console.error(error);
  app.exit(1);
});
