import { useMemo, type ReactNode } from 'react';
import type { TypedArtifact } from '../../relay/contract/artifact.ts';
import { Badge } from '../components/badge.tsx';
import { PeerLabel } from '../components/peer-text.tsx';
import { parseDiff, type FileDiff } from '../diff/parse.ts';
import { diffRows, rowCount } from '../diff/rows.ts';
import { ArtifactRow } from './artifact-row.tsx';
import { CodeLines } from './code-lines.tsx';
import { Delta } from './delta.tsx';
import { DiffTable } from './diff-table.tsx';
import { More } from './more.tsx';
import { ROWS, useShown } from '../components/use-shown.ts';

type FileDiffArtifact = Extract<TypedArtifact, { type: 'file_diff' }>;

interface DiffArtifactProps {
  readonly artifact: FileDiffArtifact;
  /** It is part of what is proposed, and was not attached. */
  readonly suggested?: boolean;
  /** How many of its files are drawn at first. */
  readonly files: number;
  /** How many lines of it may be open from the start. */
  readonly open: number;
}

/** A diff: one line for each file in it. What is no diff is shown as the text that it is. */
export function DiffArtifact(props: DiffArtifactProps): ReactNode {
  const { artifact, suggested = false, files: first, open } = props;
  const { path, diff } = artifact;
  const files = useMemo(() => parseDiff(diff), [diff]);
  const opens = useMemo(() => openFrom(files, open), [files, open]);
  const { shown, more } = useShown(files.length, { ...ROWS, first });
  const copy = { text: diff, what: suggested ? 'the suggested change' : 'the diff' };
  const badge = suggested ? <Badge text="Suggested change" /> : undefined;
  if (files.length === 0) {
    const name = path ?? 'Diff';
    return (
      <ArtifactRow icon="diff" name={<PeerLabel text={name} />} note="not a unified diff" badge={badge} copy={copy}>
        {() => <CodeLines text={diff} label={name} />}
      </ArtifactRow>
    );
  }
  return (
    <>
      {files.slice(0, shown).map((file, index) => (
        <OneFile
          // files of one diff never move; two hunks of one path may stand apart
          key={index}
          file={file}
          named={path}
          badge={index === 0 ? badge : undefined}
          copy={index === 0 ? copy : undefined}
          startsOpen={opens[index] === true}
        />
      ))}
      <More count={files.length - shown} of="file" onPress={more} />
    </>
  );
}

const NOTES: Readonly<Record<FileDiff['change'], string | undefined>> = {
  modified: undefined,
  added: 'new file',
  deleted: 'deleted',
  renamed: 'renamed',
};
/** A diff that fits on a screen or two is open from the start. */
const OPEN_ROWS = 60;

/** Which files are open from the start: the first that fit, and in all no more than `lines`. */
function openFrom(files: readonly FileDiff[], lines: number): readonly boolean[] {
  let left = lines;
  return files.map((file) => {
    const rows = rowCount(file);
    const opens = rows > 0 && rows <= Math.min(OPEN_ROWS, left);
    if (opens) left -= rows;
    return opens;
  });
}

interface OneFileProps {
  readonly file: FileDiff;
  readonly named: string | undefined;
  readonly badge: ReactNode;
  readonly copy: { readonly text: string; readonly what: string } | undefined;
  readonly startsOpen: boolean;
}

function OneFile({ file, named, badge, copy, startsOpen }: OneFileProps): ReactNode {
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
      name={<PeerLabel text={name} />}
      note={
        <>
          <Delta added={file.added} removed={file.removed} /> {said === '' ? null : <PeerLabel text={said} />}
        </>
      }
      badge={badge}
      startsOpen={startsOpen}
      {...(copy === undefined ? {} : { copy })}
      {...(rows.length === 0 ? {} : { children: () => <DiffTable rows={rows} label={`Changes to ${name}`} /> })}
    />
  );
}
