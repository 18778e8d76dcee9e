import { useRef, type ReactNode } from 'react';
import type { OutboxItem } from '../../../relay/contract/outbox.ts';
import { Icon } from '../../components/icon.tsx';
import { LongText } from '../../components/long-text.tsx';
import { PeerLabel } from '../../components/peer-text.tsx';
import { Time } from '../../components/time.tsx';
import { outboxKey } from '../../state/item.ts';
import { waitingOf } from '../../state/reducer.ts';
import { useFocusRequest } from '../../state/use-focus-request.ts';
import shared from '../../styles/shared.module.css';
import { useDesk, useUi } from '../../window-context.ts';
import { firstLine, kindWords, outboxLook } from '../../words/outbox.ts';
import entries from '../thread/entries.module.css';
import { MessageShell } from '../thread/message-shell.tsx';
import { Dot, PaneHead } from '../thread/pane-head.tsx';
import panes from '../thread/thread-pane.module.css';
import { Findings } from './findings.tsx';
import { MarkedText } from './marked-text.tsx';
import { OutboxDock } from './outbox-dock.tsx';

const SECRET = { icon: 'warn', tone: 'held' } as const;

/** The right pane: what waits to be sent and is selected, why, and what can be done with it. */
export function OutboxPane(): ReactNode {
  const selected = useUi((ui) => ui.selected);
  const item = useDesk((desk) => waitingOf(desk, selected));
  if (item === undefined) {
    return (
      <section className={panes['thread']} aria-label="Waits to be sent">
        <div className={panes['quiet']} role="status">
          <p>It waits no longer: it was sent, or dropped.</p>
        </div>
      </section>
    );
  }
  return (
    <article className={panes['thread']} aria-labelledby="subject">
      <Head item={item} />
      <Written key={outboxKey(item)} item={item} />
      <OutboxDock item={item} />
    </article>
  );
}

function Head({ item }: { item: OutboxItem }): ReactNode {
  const look = outboxLook(item);
  const isSecret = item.findings.length > 0;
  return (
    <PaneHead
      title={<PeerLabel text={firstLine(item)} />}
      badge={look}
      meta={
        <>
          <span>you</span>
          <Icon name="arrowRight" small />
          <span className={shared['unseen']}>to</span>
          <span className={shared['handle']}>{item.peer}</span>
          <Dot />
          <span>{kindWords(item)}</span>
          <Dot />
          <Time at={item.created_at} form="long" />
        </>
      }
      // a relay may have said why
      why={{ ...(isSecret ? SECRET : look), label: 'Why it waits', words: <LongText text={item.reason} /> }}
    />
  );
}

function Written({ item: { account, author, text, findings, created_at: at } }: { item: OutboxItem }): ReactNode {
  const scroller = useRef<HTMLDivElement>(null);
  useFocusRequest('thread', () => scroller.current?.focus({ preventScroll: true }));
  return (
    <div ref={scroller} className={entries['scroller']} tabIndex={0} role="region" aria-label="What was written">
      <div className={entries['entries']}>
        <MessageShell who="You" handle={account} side="own" author={author} at={at}>
          <MarkedText text={text} findings={findings} />
          <Findings text={text} findings={findings} />
        </MessageShell>
      </div>
    </div>
  );
}
