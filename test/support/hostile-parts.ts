import type { Part } from '../../relay/contract/a2a.ts';
import { ARTIFACT_MEDIA_TYPE, artifactPart } from '../../relay/contract/artifact.ts';
import { HOSTILE_URLS } from './hostile-corpus.ts';

const PLAIN_URL = 'https://example.com/';

/** Every string in every place of a message's parts where a peer's string can stand, by the kind of the part. */
export function hostileParts(strings: readonly string[]): Readonly<Record<string, readonly Part[]>> {
  return {
    texts: strings.map((text) => ({ text })),
    diffs: strings.map((text) => artifactPart({ type: 'file_diff', path: text, diff: diffOf(text) })),
    'no diffs': strings.map((text) => artifactPart({ type: 'file_diff', path: text, diff: text })),
    'file references': strings.map((text) => artifactPart({ type: 'file_ref', path: text })),
    'test commands': strings.map((text) => artifactPart({ type: 'test_command', command: text, cwd: text })),
    contracts: strings.map((text) => artifactPart({ type: 'api_contract', inline: text, format: text })),
    links: [
      ...strings.map((text) => artifactPart({ type: 'link', url: PLAIN_URL, title: text })),
      ...HOSTILE_URLS.map((url) => artifactPart({ type: 'link', url, title: PLAIN_URL })),
      ...HOSTILE_URLS.map((url) => artifactPart({ type: 'api_contract', schema_url: url, format: 'openapi' })),
    ],
    'test results': strings.map((text) =>
      artifactPart({ type: 'test_result', command: text, exit_code: 1, summary: text }),
    ),
    'unknown kinds': strings.map((text) => ({
      data: { type: text, [`of ${text}`]: text },
      mediaType: ARTIFACT_MEDIA_TYPE,
    })),
    data: strings.map((text) => ({ data: { [`of ${text}`]: [text] }, filename: text })),
    files: [
      ...strings.map((text) => ({ raw: 'AA==', filename: text, mediaType: text })),
      ...strings.map((text) => ({ url: PLAIN_URL, filename: text })),
      ...HOSTILE_URLS.map((url) => ({ url, filename: PLAIN_URL })),
    ],
    sealed: strings.map((text) => ({ text, filename: text, mediaType: `application/x-sealed; of=${text}` })),
  };
}

function diffOf(text: string): string {
  return [`--- a/${text}`, `+++ b/${text}`, `@@ -1 +1 @@ ${text}`, `-${text}`, `+a ${text}`, ''].join('\n');
}
