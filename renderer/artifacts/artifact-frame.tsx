import type { ReactNode } from 'react';
import type { DataPart, Part, RawPart, UrlPart } from '../../relay/contract/a2a.ts';
import { artifactType, readArtifactPart, type TypedArtifact } from '../../relay/contract/artifact.ts';
import { assertNever } from '../../relay/contract/assert-never.ts';
import { sealedPart } from '../../relay/contract/readable-part.ts';
import { ContractArtifact } from './contract-artifact.tsx';
import { DataArtifact } from './data-artifact.tsx';
import { DiffArtifact } from './diff-artifact.tsx';
import { FileArtifact } from './file-artifact.tsx';
import { FileRefArtifact } from './file-ref-artifact.tsx';
import { LinkArtifact } from './link-artifact.tsx';
import { SealedArtifact } from './sealed-artifact.tsx';
import { More } from './more.tsx';
import { shareLines } from './share-lines.ts';
import { TestCommandArtifact } from './test-command-artifact.tsx';
import { TestResultArtifact } from './test-result-artifact.tsx';
import { ROWS, useShown } from '../components/use-shown.ts';
import styles from './artifact-frame.module.css';

/** A part that is no text to be read, with what is known of it besides. */
export interface FramedPart {
  readonly id: string;
  readonly part: Part;
  /** Name of the artifact that holds it. */
  readonly name?: string;
}

/** How many files of each diff are drawn at first, however many diffs there are. */
const FEW_FILES = 5;

/** What an artifact may take of the frame at first. */
interface Room {
  /** Rows of a diff's files. */
  readonly files: number;
  /** Lines that are open. */
  readonly open: number;
}

/** Everything that came along with a message, in one frame. Nothing in it runs, opens or is fetched by itself. */
export function ArtifactFrame({
  parts,
  suggestedDiff,
}: {
  parts: readonly FramedPart[];
  suggestedDiff?: string;
}): ReactNode {
  const { shown, more } = useShown(parts.length, ROWS, (index) => (isDiff(parts[index]?.part) ? FEW_FILES : 1));
  if (parts.length === 0 && suggestedDiff === undefined) return null;
  const drawn = parts.slice(0, shown);
  const files = Math.max(FEW_FILES, Math.floor(ROWS.first / Math.max(1, drawn.length)));
  const [suggestedOpen = 0, ...open] = shareLines([suggestedDiff ?? '', ...drawn.map(({ part }) => opening(part))]);
  return (
    <div className={styles['frame']} role="group" aria-label="Artifacts">
      {suggestedDiff === undefined ? null : (
        <DiffArtifact
          artifact={{ type: 'file_diff', diff: suggestedDiff }}
          suggested
          files={files}
          open={suggestedOpen}
        />
      )}
      {drawn.map((framed, index) => (
        <PartView key={framed.id} framed={framed} files={files} open={open[index] ?? 0} />
      ))}
      <More count={parts.length - shown} of="artifact" onPress={more} />
    </div>
  );
}

/** What of a part is open from the start, if there is room: a diff, and how a test run ended. */
function opening(part: FramedPart['part']): string {
  const artifact = readArtifactPart(part);
  if (artifact?.type === 'file_diff') return artifact.diff;
  return artifact?.type === 'test_result' ? (artifact.summary ?? '') : '';
}

function isDiff(part: FramedPart['part'] | undefined): boolean {
  return part !== undefined && artifactType(part) === 'file_diff';
}

function PartView({ framed: { part, name }, ...room }: { readonly framed: FramedPart } & Room): ReactNode {
  const sealed = sealedPart(part);
  if (sealed !== undefined) return <SealedArtifact part={sealed} />;
  // text that may be read stands with the words of its message
  if ('text' in part) return null;
  if (isData(part)) {
    const artifact = readArtifactPart(part);
    return artifact === undefined ? (
      <DataArtifact part={part} name={name} />
    ) : (
      <TypedArtifactView artifact={artifact} {...room} />
    );
  }
  return <FileArtifact part={part} />;
}

function TypedArtifactView({ artifact, files, open }: { readonly artifact: TypedArtifact } & Room): ReactNode {
  switch (artifact.type) {
    case 'file_diff':
      return <DiffArtifact artifact={artifact} files={files} open={open} />;
    case 'file_ref':
      return <FileRefArtifact artifact={artifact} />;
    case 'test_command':
      return <TestCommandArtifact artifact={artifact} />;
    case 'api_contract':
      return <ContractArtifact artifact={artifact} />;
    case 'link':
      return <LinkArtifact artifact={artifact} />;
    case 'test_result':
      return <TestResultArtifact artifact={artifact} startsOpen={open > 0} />;
    default:
      return assertNever(artifact);
  }
}

function isData(part: DataPart | RawPart | UrlPart): part is DataPart {
  return 'data' in part;
}
