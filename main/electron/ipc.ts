import { ipcMain, type WebContents } from 'electron';
import type { Logger } from 'pino';
import type { DeskApi } from '../../relay/contract/desk-api.ts';
import { answer, refusal } from '../answer.ts';
import { DESK_CALL, DESK_EVENT, DESK_SUBSCRIBE, DESK_UNSUBSCRIBE } from './desk-channels.ts';
import { Subscriptions } from './subscriptions.ts';
import { isTrustedSender, type SenderEvent } from './trusted-sender.ts';

/**
 * Lets our windows call the desk and follow its events, as the human. The only door between the two processes: who
 * asks is checked here, what is asked by the desk.
 * @param owns whether an id is that of a window's web contents
 */
export function serveDesk(desk: DeskApi, owns: (contentsId: number) => boolean, logger: Logger): void {
  const trusted = (event: SenderEvent): boolean => isTrustedSender(event, owns);

  ipcMain.handle(DESK_CALL, (event, command: unknown, input: unknown) =>
    trusted(event)
      ? answer(desk, String(command), input, 'human', logger)
      : refusal('UNAUTHENTICATED', 'Only the AgentRelay window may call the desk.'),
  );

  const subscriptions = new Subscriptions();
  const watched = new WeakSet<WebContents>();
  ipcMain.on(DESK_SUBSCRIBE, (event, id: unknown, afterSeq: unknown) => {
    if (!trusted(event) || !isCount(id) || !isCount(afterSeq)) return;
    const contents = event.sender;
    const owner = contents.id;
    if (!watched.has(contents)) {
      watched.add(contents);
      onDocumentGone(contents, () => subscriptions.endAll(owner));
    }
    subscriptions.add(
      owner,
      id,
      desk.subscribe(afterSeq, (deskEvent) => contents.send(DESK_EVENT, id, deskEvent), 'human'),
    );
  });
  ipcMain.on(DESK_UNSUBSCRIBE, (event, id: unknown) => {
    if (trusted(event) && isCount(id)) subscriptions.end(event.sender.id, id);
  });
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** A reload, another document, a crash or the window's end: nobody listens any more. */
function onDocumentGone(contents: WebContents, gone: () => void): void {
  contents.on('did-start-navigation', (details) => {
    if (details.isMainFrame && !details.isSameDocument) gone();
  });
  contents.on('render-process-gone', gone);
  contents.once('destroyed', gone);
}
