import { useMemo, type ReactNode } from 'react';
import type { TypedArtifact } from '../../relay/contract/artifact.ts';
import { Badge } from '../components/badge.tsx';
import { PeerText } from '../components/peer-text.tsx';
import { parseDiff, type FileDiff } from '../diff/parse.ts';
import { diffRows } from '../diff/rows.ts';
import { ArtifactRow } from './artifact-row.tsx';
import { CodeLines } from './code-lines.tsx';
import { Delta } from './delta.tsx';
import { DiffTable } from './diff-table.tsx';

type FileDiffArtifact = Extract<TypedArtifact, { type: 'file_diff' }>;

interface DiffArtifactProps {
  readonly artifact: FileDiffArtifact;
  /** It is part of what is proposed, and was not attached. */
  readonly suggested?: boolean;
}

/** A diff: one line for each file in it. What is no diff is shown as the text that it is. */
export function DiffArtifact({ artifact: { path, diff }, suggested = false }: DiffArtifactProps): ReactNode {
  const files = useMemo(() => parseDiff(diff), [diff]);
  const copy = { text: diff, what: suggested ? 'the suggested change' : 'the diff' };
  const badge = suggested ? <Badge text="Suggested change" /> : undefined;
  if (files.length === 0) {
    const name = path ?? 'Diff';
    return (
      <ArtifactRow icon="diff" name={<PeerText text={name} />} note="not a unified diff" badge={badge} copy={copy}>
        {() => <CodeLines text={diff} label={name} />}
      </ArtifactRow>
    );
  }
  return files.map((file, index) => {
    // files of one diff never move; two hunks of one path may stand apart
    return <OneFile key={index} file={file} named={path} badge={badge} copy={index === 0 ? copy : undefined} />;
  });
}

const NOTES: Readonly<Record<FileDiff['change'], string | undefined>> = {
  modified: undefined,
  added: 'new file',
  deleted: 'deleted',
  renamed: 'renamed',
};
/** A diff that fits on a screen or two is open from the start. */
const OPEN_ROWS = 60;

interface OneFileProps {
  readonly file: FileDiff;
  readonly named: string | undefined;
  readonly badge: ReactNode;
  readonly copy: { readonly text: string; readonly what: string } | undefined;
}

function OneFile({ file, named, badge, copy }: OneFileProps): ReactNode {
  const rows = useMemo(() => diffRows(file), [file]);
  const name = file.path === '' ? (named ?? 'Diff') : file.path;
  const note = [
    file.from === undefined ? undefined : `from ${file.from}`,
    NOTES[file.change],
    file.binary ? 'binary' : undefined,
  ];
  const said = note.filter((word) => word !== undefined).join(', ');
  return (
    <ArtifactRow
      icon="diff"
      name={<PeerText text={name} />}
      note={
        <>
          <Delta added={file.added} removed={file.removed} /> {said === '' ? null : <PeerText text={said} />}
        </>
      }
      badge={badge}
      startsOpen={rows.length <= OPEN_ROWS && rows.length > 0}
      {...(copy === undefined ? {} : { copy })}
      {...(rows.length === 0 ? {} : { children: () => <DiffTable rows={rows} label={`Changes to ${name}`} /> })}
    />
  );
}
