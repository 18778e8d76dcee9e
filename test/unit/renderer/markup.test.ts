import { createElement, type ComponentProps } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { Part } from '../../../relay/contract/a2a.ts';
import { ARTIFACT_MEDIA_TYPE, artifactPart, type TypedArtifact } from '../../../relay/contract/artifact.ts';
import type { Json } from '../../../relay/contract/json.ts';
import { threadEntries } from '../../../relay/contract/thread.ts';
import { ArtifactFrame } from '../../../renderer/artifacts/artifact-frame.tsx';
import { BodyText } from '../../../renderer/components/body-text.tsx';
import { PeerText } from '../../../renderer/components/peer-text.tsx';
import { Sentence } from '../../../renderer/components/sentence.tsx';
import { ArtifactsView, MessageView } from '../../../renderer/screens/thread/message-view.tsx';
import { StateLine } from '../../../renderer/screens/thread/state-line.tsx';
import { chunk, created, item, said, step } from './samples.ts';

/** The document that a screen shows, as text: what is in it, and what is not, without a browser. */

const peerText = (text: string): string => renderToStaticMarkup(createElement(PeerText, { text }));
const body = (text: string, growing = false): string =>
  renderToStaticMarkup(createElement(BodyText, { text, growing }));
const frame = (...parts: Exclude<Part, { text: string }>[]): string =>
  renderToStaticMarkup(createElement(ArtifactFrame, { parts: parts.map((part, index) => ({ id: `${index}`, part })) }));
const typed = (artifact: TypedArtifact): string => frame(artifactPart(artifact));
const words = (markup: string): string =>
  markup
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

describe('text of a peer', () => {
  it('is never markup', () => {
    const markup = peerText('<img src=x onerror="alert(1)"> & <script>alert(1)</script>');
    expect(markup).not.toMatch(/<(img|script)/);
    expect(markup).toContain('&lt;script&gt;');
  });

  it('stands in its own direction, with what hides in it made visible', () => {
    const markup = peerText('invoice\u202Egnp.exe');
    expect(markup).toMatch(/^<bdi>/);
    expect(markup).toContain('title="right-to-left override, U+202E"');
    expect(markup).not.toContain('\u202E');
  });
});

describe('a sentence of ours', () => {
  it('has its handles set as handles, and no more than them', () => {
    const markup = renderToStaticMarkup(createElement(Sentence, { text: 'Ask mia@acme, or frank.x-1@my-relay.' }));
    expect(Array.from(markup.matchAll(/<span[^>]*>([^<]*)<\/span>/g), ([, handle]) => handle)).toEqual([
      'mia@acme',
      'frank.x-1@my-relay',
    ]);
    expect(markup.replace(/<[^>]*>/g, '')).toBe('Ask mia@acme, or frank.x-1@my-relay.');
    expect(renderToStaticMarkup(createElement(Sentence, { text: 'Sending' }))).toBe('Sending');
  });
});

describe('the body of a message', () => {
  it('has code as code, and all of it escaped', () => {
    const markup = body('Call `<b>`:\n```ts\nconst a = "<i>";\n```');
    expect(markup).toMatch(/<code[^>]*><bdi>&lt;b&gt;<\/bdi><\/code>/);
    expect(markup).toMatch(/<pre[^>]*><code><bdi>const a = &quot;&lt;i&gt;&quot;;<\/bdi><\/code><\/pre>/);
  });

  it('ends with a caret while it is written, and only then', () => {
    for (const text of ['It ignores', '```\nconst a', '']) {
      expect(body(text, true)).toContain('aria-label="still writing"');
      expect(body(text)).not.toContain('still writing');
    }
  });
});

describe('a long body', () => {
  it('is drawn in part, with a way to the rest and a copy of all of it', () => {
    const markup = body('word '.repeat(20_000));
    expect(words(markup)).toMatch(/Show more, 80 kB left$/);
    expect(markup).toContain('aria-label="Copy the whole text"');
    expect(markup.length).toBeLessThan(25_000);
    expect(body('word '.repeat(3_000))).not.toContain('button');
  });

  it('that is still written says so beside the way to the rest', () => {
    expect(body('word '.repeat(20_000), true).match(/still writing/g)).toHaveLength(1);
  });
});

describe('artifacts', () => {
  it('are in one frame, and where there are none there is no frame', () => {
    expect(frame()).toBe('');
    expect(typed({ type: 'link', url: 'https://example.com/' })).toMatch(
      /^<div[^>]* role="group" aria-label="Artifacts">/,
    );
  });

  it('of a diff show its counts and lines', () => {
    const markup = typed({
      type: 'file_diff',
      path: 'src/limit.ts',
      diff: '--- a/src/limit.ts\n+++ b/src/limit.ts\n@@ -18 +18,2 @@\n-old <b>\n+new\n+more\n',
    });
    expect(words(markup)).toContain('src/limit.ts +2 added, −1 removed');
    expect(markup).toContain('aria-expanded="true"');
    expect(words(markup)).toContain('18 − old &lt;b&gt; 18 + new 19 + more');
    expect(markup).toContain('Copy the diff');
  });

  it('of several files have a line for each', () => {
    const one = '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n';
    const markup = typed({ type: 'file_diff', diff: one + one.replaceAll('/x', '/y') });
    expect(markup.match(/aria-expanded/g)).toHaveLength(2);
    expect(markup.match(/aria-label="Copy the diff"/g)).toHaveLength(1);
  });

  it('of a long diff are closed, and draw nothing until they are opened', () => {
    const many = Array.from({ length: 5_000 }, (_, index) => `+line ${index}`).join('\n');
    const markup = typed({ type: 'file_diff', diff: `@@ -0,0 +1,5000 @@\n${many}\n` });
    expect(markup).toContain('aria-expanded="false"');
    expect(words(markup)).toContain('+5000');
    expect(markup).not.toContain('line 1');
  });

  it('of many are not all drawn at once, and those that are drawn are not all open', () => {
    const one = '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n';
    const big = typed({ type: 'file_diff', diff: one.repeat(15_000) });
    expect(words(big)).toMatch(/14,9\d\d more files$/);
    expect(big.match(/aria-expanded/g)).toHaveLength(50);
    expect(big.match(/<tr/g)?.length).toBeLessThan(200);
    const four = typed({
      type: 'file_diff',
      diff: `--- a/x\n+++ b/x\n@@ -0,0 +1,50 @@\n${'+a\n'.repeat(50)}`.repeat(4),
    });
    expect(Array.from(four.matchAll(/aria-expanded="(\w+)"/g), ([, open]) => open)).toEqual([
      'true',
      'true',
      'false',
      'false',
    ]);
    const many = frame(...Array.from({ length: 300 }, () => artifactPart({ type: 'file_diff', diff: one.repeat(60) })));
    expect(words(many)).toMatch(/29\d more artifacts$/);
    expect(words(many)).toContain('55 more files');
    expect(many.match(/<tr/g)?.length).toBeLessThan(500);
    const results = Array.from({ length: 60 }, () =>
      artifactPart({ type: 'test_result', command: 'x', exit_code: 1, summary: 'long '.repeat(3_000) }),
    );
    expect(frame(...results).match(/aria-expanded="true"/g)?.length).toBeLessThan(5);
  });

  it('of a line too long to draw show how much more there is of it', () => {
    const diff = `--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n-a\n+${'word '.repeat(2_000)}\n+end\n`;
    const markup = typed({ type: 'file_diff', diff });
    expect(words(markup)).toContain('… 8.0 kB more');
    expect(words(markup)).toMatch(/\+ end$/);
    expect(typed({ type: 'test_command', command: 'x'.repeat(900_000) }).length).toBeLessThan(5_000);
  });

  it('of what calls itself a diff and is none show the text', () => {
    expect(words(typed({ type: 'file_diff', path: 'x', diff: 'no diff at all' }))).toContain('not a unified diff');
  });

  it('of a command say that it was not run, and offer nothing but a copy', () => {
    const markup = typed({ type: 'test_command', command: 'npm test -- limit', cwd: 'api/' });
    expect(words(markup)).toBe('npm test -- limit in api/ Not run');
    // all of it is there: nothing opens
    expect(markup.match(/<button/g)).toHaveLength(1);
    expect(markup).toContain('aria-label="Copy the test command"');
  });

  it('of a command that is no short line open to show the rest', () => {
    for (const command of ['npm ci\nnpm test', `npm test -- ${'x'.repeat(300)}`]) {
      expect(typed({ type: 'test_command', command })).toContain('aria-expanded="false"');
    }
  });

  it('of a link show where it leads, and lead there only on the web', () => {
    const web = typed({ type: 'link', url: 'https://аpple.com/', title: 'apple.com' });
    expect(web).toContain('href="https://xn--pple-43d.com/"');
    expect(web).toContain('target="_blank" rel="noopener noreferrer"');
    expect(words(web)).toBe('https://xn--pple-43d.com/ apple.com');
    const script = typed({ type: 'link', url: 'javascript:alert(1)', title: 'Click me' });
    expect(script).not.toContain('<a');
    expect(words(script)).toBe('javascript:alert(1) Click me');
  });

  it('of a contract show its format, or its address', () => {
    expect(words(typed({ type: 'api_contract', format: 'OpenAPI', inline: 'RefundEvent:\n' }))).toBe(
      'OpenAPI API contract',
    );
    expect(words(typed({ type: 'api_contract', format: 'OpenAPI', schema_url: 'https://example.com/s.json' }))).toBe(
      'https://example.com/s.json API contract, OpenAPI',
    );
  });

  it('of a place in a repository name lines and commit', () => {
    expect(words(typed({ type: 'file_ref', path: 'a.ts', lines: [12, 20], git_sha: 'abc1234' }))).toBe(
      'a.ts:12–20 at abc1234',
    );
    expect(words(typed({ type: 'file_ref', path: 'a.ts', lines: [12, 12] }))).toBe('a.ts:12');
    expect(words(typed({ type: 'file_ref', path: 'a.ts' }))).toBe('a.ts');
  });

  it('of a test result say how it ended, in words', () => {
    expect(words(typed({ type: 'test_result', command: 'npm test', exit_code: 0, passed: 41, failed: 0 }))).toBe(
      'npm test 41 passed, 0 failed Passed',
    );
    expect(words(typed({ type: 'test_result', command: 'npm test', exit_code: 2, summary: '2 fail' }))).toBe(
      'npm test Failed, exit 2 2 fail',
    );
  });

  it('of a kind that is not known are shown as data', () => {
    const data: Json = { type: 'quantum_state', spin: '<up>' };
    expect(words(frame({ data, mediaType: ARTIFACT_MEDIA_TYPE }))).toBe('quantum_state a kind that is not known here');
    expect(words(frame({ data }))).toBe('data JSON');
    // a known kind with the wrong members is not known either
    expect(words(frame({ data: { type: 'link', href: 'x' }, mediaType: ARTIFACT_MEDIA_TYPE }))).toContain(
      'not known here',
    );
  });

  it('that are files have a name, a type and a size, and are never fetched', () => {
    expect(words(frame({ raw: 'aGVsbG8=', filename: 'a.txt', mediaType: 'text/plain' }))).toBe(
      'a.txt text/plain, 5 bytes',
    );
    expect(words(frame({ raw: 'aGVsbG8=' }))).toBe('Unnamed file file, 5 bytes');
    const remote = frame({ url: 'https://example.com/x.png', filename: 'x.png', mediaType: 'image/png' });
    expect(remote).not.toContain('<img');
    expect(words(remote)).toBe('https://example.com/x.png x.png, image/png');
  });
});

describe('a message', () => {
  const show = (role: 'sender' | 'recipient', ...events: Parameters<typeof threadEntries>[0][number][]): string => {
    const entry = threadEntries(events, role).at(-1);
    if (entry?.kind !== 'message') throw new Error('The last entry is no message.');
    const props: ComponentProps<typeof MessageView> = {
      entry,
      item: item({ role }),
      continues: false,
      receipt: entry.receipt,
      absence: undefined,
    };
    return renderToStaticMarkup(createElement(MessageView, props));
  };

  it('says who wrote it, and how', () => {
    expect(words(show('recipient', created()))).toMatch(/^F frank@acme Codex \S.* The limiter throws\.$/);
    expect(show('recipient', created())).toContain('aria-label="Message from frank@acme"');
  });

  it('of one’s own is You, and says how only if no human wrote it', () => {
    const mine = (author: 'human' | 'codex'): string =>
      words(show('recipient', created(), said(2, { actor: 'recipient', author })));
    expect(mine('human')).toMatch(/^A You (?!human).*Queued$/);
    expect(mine('codex')).toMatch(/^A You Codex .*Queued$/);
  });

  it('shows what is proposed, where, and why', () => {
    const proposedAction = {
      description: 'Fail closed',
      target_files: ['a.ts', 'b.ts'],
      rationale: 'It is safer.',
      suggested_diff: '@@ -1 +1 @@\n-a\n+b\n',
    };
    const markup = words(show('recipient', created({ proposedAction })));
    expect(markup).toContain('Proposes Fail closed In a.ts, b.ts Because It is safer.');
    expect(markup).toContain('+1 added');
  });

  it('tells the change that is suggested from a diff that is attached', () => {
    const diff = '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n';
    const proposedAction = { description: 'Fix', target_files: [], rationale: '', suggested_diff: diff };
    const attached = artifactPart({ type: 'file_diff', diff });
    const message = { messageId: 'm1', role: 'ROLE_USER' as const, parts: [{ text: 'Look' }, attached] };
    const markup = show('recipient', created({ proposedAction, message }));
    expect(markup.match(/Suggested change/g)).toHaveLength(1);
    expect(markup).toContain('aria-label="Copy the suggested change"');
    expect(markup).toContain('aria-label="Copy the diff"');
    expect(words(markup)).toMatch(/Suggested change .* x \+1 added/);
  });

  it('of many texts shows the first of them', () => {
    const parts = Array.from({ length: 20_000 }, () => ({ text: 'a' }));
    const markup = show('recipient', created({ message: { messageId: 'm1', role: 'ROLE_USER', parts } }));
    expect(words(markup)).toMatch(/19,9\d\d more texts$/);
    expect(markup.length).toBeLessThan(10_000);
  });

  it('does not repeat the subject above it', () => {
    const text = 'Rate limiter returns 500 instead of 429\n\nThe limiter throws.';
    const message = { messageId: 'm1', role: 'ROLE_USER' as const, parts: [{ text }] };
    expect(words(show('recipient', created({ message })))).toMatch(/^F frank@acme Codex [^T]* The limiter throws\.$/);
    // and where there is nothing else, that is said
    const bare = {
      messageId: 'm1',
      role: 'ROLE_USER' as const,
      parts: [{ text: 'Rate limiter returns 500 instead of 429' }],
    };
    expect(words(show('recipient', created({ message: bare })))).toMatch(/Nothing more than the subject$/);
    // a later message may quote it
    expect(words(show('recipient', created(), said(2, { message })))).toContain('Rate limiter returns 500');
  });
});

describe('what a recipient produces', () => {
  it('is text as text and the rest in a frame', () => {
    const data = artifactPart({ type: 'test_command', command: 'npm test' });
    const entry = threadEntries(
      [
        created(),
        chunk(2, 'reply', 'It works', { artifact: { artifactId: 'reply', parts: [{ text: 'It works' }, data] } }),
      ],
      'sender',
    ).at(-1);
    if (entry?.kind !== 'artifacts') throw new Error('The last entry is no artifact.');
    const props: ComponentProps<typeof ArtifactsView> = {
      entry,
      item: item({ role: 'sender' }),
      continues: true,
      receipt: undefined,
      absence: undefined,
    };
    const markup = renderToStaticMarkup(createElement(ArtifactsView, props));
    expect(words(markup)).toBe('It works npm test Not run');
    expect(markup).toContain('still writing');
  });
});

describe('a step', () => {
  it('is a line with its reason', () => {
    const entry = threadEntries(
      [created(), step(2, 'decline', 'declined', { reason: 'after <b> the release', author: 'codex' })],
      'sender',
    ).at(-1);
    if (entry?.kind !== 'state') throw new Error('The last entry is no step.');
    const markup = renderToStaticMarkup(createElement(StateLine, { entry, peer: 'frank@acme' }));
    expect(words(markup)).toMatch(/^frank@acme declined: after &lt;b&gt; the release Codex \S/);
    expect(markup).toMatch(/^<p[^>]*><span><span class="[^"]*">frank@acme<\/span> declined/);
  });
});
