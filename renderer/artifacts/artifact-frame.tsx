import type { ReactNode } from 'react';
import type { DataPart, Part, RawPart, TextPart, UrlPart } from '../../relay/contract/a2a.ts';
import { readArtifactPart, type TypedArtifact } from '../../relay/contract/artifact.ts';
import { assertNever } from '../../relay/contract/assert-never.ts';
import { ContractArtifact } from './contract-artifact.tsx';
import { DataArtifact } from './data-artifact.tsx';
import { DiffArtifact } from './diff-artifact.tsx';
import { FileArtifact } from './file-artifact.tsx';
import { FileRefArtifact } from './file-ref-artifact.tsx';
import { LinkArtifact } from './link-artifact.tsx';
import { TestCommandArtifact } from './test-command-artifact.tsx';
import { TestResultArtifact } from './test-result-artifact.tsx';
import styles from './artifact-frame.module.css';

/** A part that is no text, with what is known of it besides. */
export interface FramedPart {
  readonly id: string;
  readonly part: Exclude<Part, TextPart>;
  /** Name of the artifact that holds it. */
  readonly name?: string;
}

/** Everything that came along with a message, in one frame. Nothing in it runs, opens or is fetched by itself. */
export function ArtifactFrame({
  parts,
  suggestedDiff,
}: {
  parts: readonly FramedPart[];
  suggestedDiff?: string;
}): ReactNode {
  if (parts.length === 0 && suggestedDiff === undefined) return null;
  return (
    <div className={styles['frame']} role="group" aria-label="Artifacts">
      {suggestedDiff === undefined ? null : (
        <DiffArtifact artifact={{ type: 'file_diff', diff: suggestedDiff }} suggested />
      )}
      {parts.map((framed) => (
        <PartView key={framed.id} framed={framed} />
      ))}
    </div>
  );
}

function PartView({ framed: { part, name } }: { framed: FramedPart }): ReactNode {
  if (isData(part)) {
    const artifact = readArtifactPart(part);
    return artifact === undefined ? (
      <DataArtifact part={part} name={name} />
    ) : (
      <TypedArtifactView artifact={artifact} />
    );
  }
  return <FileArtifact part={part} />;
}

function TypedArtifactView({ artifact }: { artifact: TypedArtifact }): ReactNode {
  switch (artifact.type) {
    case 'file_diff':
      return <DiffArtifact artifact={artifact} />;
    case 'file_ref':
      return <FileRefArtifact artifact={artifact} />;
    case 'test_command':
      return <TestCommandArtifact artifact={artifact} />;
    case 'api_contract':
      return <ContractArtifact artifact={artifact} />;
    case 'link':
      return <LinkArtifact artifact={artifact} />;
    case 'test_result':
      return <TestResultArtifact artifact={artifact} />;
    default:
      return assertNever(artifact);
  }
}

function isData(part: DataPart | RawPart | UrlPart): part is DataPart {
  return 'data' in part;
}
