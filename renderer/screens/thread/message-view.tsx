import type { ReactNode } from 'react';
import { readableText, readableTexts } from '../../../relay/contract/readable-part.ts';
import type { InboxItem, OfflinePeer } from '../../../relay/contract/desk-api.ts';
import type { ProposedAction } from '../../../relay/contract/handoff.ts';
import type { ArtifactEntry, EntryReceipt, MessageEntry } from '../../../relay/contract/thread.ts';
import { ArtifactFrame, type FramedPart } from '../../artifacts/artifact-frame.tsx';
import { BodyTexts } from '../../components/body-text.tsx';
import { Icon } from '../../components/icon.tsx';
import { LongText } from '../../components/long-text.tsx';
import { Sentence } from '../../components/sentence.tsx';
import { useNow } from '../../components/use-now.ts';
import shared from '../../styles/shared.module.css';
import { textsBelow, textsOf } from '../../text/subject.ts';
import { receiptWords } from '../../words/thread.ts';
import { MessageShell } from './message-shell.tsx';
import styles from './message-view.module.css';

interface EntryProps<E> {
  readonly entry: E;
  readonly item: InboxItem;
  readonly continues: boolean;
  readonly receipt: EntryReceipt | undefined;
  /** Set while the other side is known to be away. */
  readonly absence: OfflinePeer | undefined;
}

/** A message with what came along. */
export function MessageView({ entry, ...common }: EntryProps<MessageEntry>): ReactNode {
  const { parts, proposedAction } = entry;
  const { item } = common;
  const framed = parts.flatMap((part, index): FramedPart[] =>
    readableText(part) === undefined ? [{ id: `${index}`, part }] : [],
  );
  const suggested = proposedAction?.suggested_diff;
  const opens = entry.version === 1;
  const texts = opens ? textsBelow(item.handoff.summary, parts) : textsOf(parts);
  // an empty message would look like a fault
  const isSubject = opens && texts.size === 0 && framed.length === 0 && proposedAction === undefined;
  return (
    <Said entry={entry} {...common}>
      {isSubject ? <p className={styles['bare']}>Nothing more than the subject</p> : null}
      <BodyTexts texts={Array.from(texts, ([index, text]) => ({ id: `${index}`, text }))} />
      {proposedAction === undefined ? null : <Proposal action={proposedAction} />}
      <ArtifactFrame parts={framed} {...(suggested === undefined ? {} : { suggestedDiff: suggested })} />
    </Said>
  );
}

/** What the recipient produced: text as text, everything else in a frame. */
export function ArtifactsView({ entry, ...common }: EntryProps<ArtifactEntry>): ReactNode {
  const texts = entry.artifacts.flatMap(({ artifact, growing }) => {
    const parts = readableTexts(artifact.parts);
    return parts.map((text, index) => ({
      id: `${artifact.artifactId} ${index}`,
      text,
      growing: growing && index === parts.length - 1,
    }));
  });
  const framed = entry.artifacts.flatMap(({ artifact }) =>
    artifact.parts.flatMap((part, index): FramedPart[] =>
      readableText(part) === undefined
        ? [
            {
              id: `${artifact.artifactId} ${index}`,
              part,
              ...(artifact.name === undefined ? {} : { name: artifact.name }),
            },
          ]
        : [],
    ),
  );
  return (
    <Said entry={entry} {...common}>
      <BodyTexts texts={texts} />
      <ArtifactFrame parts={framed} />
    </Said>
  );
}

function Said(props: EntryProps<MessageEntry | ArtifactEntry> & { readonly children: ReactNode }): ReactNode {
  const { entry, item, continues, receipt, absence, children } = props;
  const side = entry.own ? 'own' : entry.actor === 'relay' ? 'relay' : 'peer';
  const who = { own: 'You', relay: 'The relay', peer: item.peer }[side];
  return (
    <MessageShell
      who={who}
      handle={entry.own ? item.account : who}
      side={side}
      author={entry.author}
      at={entry.at}
      continues={continues}
    >
      {children}
      {receipt === undefined ? null : <Receipt receipt={receipt} peer={item.peer} absence={absence} />}
    </MessageShell>
  );
}

function Proposal({ action }: { action: ProposedAction }): ReactNode {
  return (
    <dl className={styles['facts']}>
      <dt>Proposes</dt>
      <dd>
        <LongText text={action.description} />
      </dd>
      {action.target_files.length === 0 ? null : (
        <>
          <dt>In</dt>
          <dd className={shared['mono']}>
            <LongText text={action.target_files.join(', ')} />
          </dd>
        </>
      )}
      {action.rationale === '' ? null : (
        <>
          <dt>Because</dt>
          <dd>
            <LongText text={action.rationale} />
          </dd>
        </>
      )}
    </dl>
  );
}

interface ReceiptProps {
  readonly receipt: EntryReceipt;
  readonly peer: string;
  readonly absence: OfflinePeer | undefined;
}

function Receipt({ receipt, peer, absence }: ReceiptProps): ReactNode {
  const now = useNow();
  const acked = receipt.state === 'acked';
  return (
    <p className={styles['receipt']}>
      <Icon
        name={acked ? 'check' : receipt.state === 'held' ? 'held' : 'queued'}
        tone={acked ? 'live' : 'faint'}
        small
      />
      <span>
        <Sentence text={receiptWords(receipt, peer, now, absence)} />
      </span>
    </p>
  );
}
