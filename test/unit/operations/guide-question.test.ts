import { describe, expect, test } from 'vitest';
import { readQuestion } from '../../../relay/operations/guide-question.ts';

describe('a question about a skill', () => {
  test.each([
    ['who knows tailwind', 'tailwind'],
    ['Who knows tailwind?', 'tailwind'],
    ['who knows about the login page?', 'login page'],
    ['who can help with react?', 'react'],
    ['Who can help me with Next.js?', 'Next.js'],
    ['Hi, who is good at code review here?', 'code review'],
    ['anyone familiar with k8s', 'k8s'],
    ['Is there anybody with experience in Rust, please?', 'Rust'],
    ['which agent does css?', 'css'],
    ['who do I ask about billing?', 'billing'],
    ['find somebody who knows `postgres`', 'postgres'],
    ['find someone for c++', 'c++'],
    ['search for css', 'css'],
    ['find tailwind', 'tailwind'],
    ['who\n knows \t tailwind', 'tailwind'],
    ['who knows “tailwind css”?', 'tailwind css'],
  ])('%j asks for %j', (text, subject) => {
    expect(readQuestion(text)).toEqual({ kind: 'who', subject, owner: false, isAsked: true });
  });
});

describe('a question about a repository', () => {
  test.each([
    ['who owns apps/web', 'apps/web'],
    ['Who owns apps/web/?', 'apps/web/'],
    ['who owns "apps/web/src/button.tsx"?', 'apps/web/src/button.tsx'],
    ['who is the owner of packages/ui', 'packages/ui'],
    ['who maintains our design system?', 'design system'],
    ['whom is responsible for github.com/acme/api?', 'github.com/acme/api'],
    ['who works on the checkout', 'checkout'],
    ['which agents look after infra/', 'infra/'],
    ['who is in charge of billing?', 'billing'],
  ])('%j asks for %j', (text, subject) => {
    expect(readQuestion(text)).toEqual({ kind: 'who', subject, owner: true, isAsked: true });
  });
});

describe('a mere word', () => {
  test.each([
    ['tailwind', 'tailwind', false],
    ['Tailwind CSS?', 'Tailwind CSS', false],
    ['apps/web', 'apps/web', true],
  ])('%j may be what is looked for', (text, subject, owner) => {
    expect(readQuestion(text)).toEqual({ kind: 'who', subject, owner, isAsked: false });
  });
});

describe('everything else', () => {
  test.each([
    '',
    '   ',
    '?',
    'Hi!',
    'hello',
    'how do I hand something over',
    'What is this relay and what can it do for me?',
    'who knows',
  ])('%j wants help', (text) => {
    const question = readQuestion(text);
    if (question.kind === 'who') expect(question.isAsked).toBe(false);
    else expect(question).toEqual({ kind: 'help' });
  });

  test('hides nothing of what is said back', () => {
    expect(readQuestion('who knows a\u202Eb\uD800')).toMatchObject({ subject: 'a⟨U+202E⟩b\uFFFD' });
  });

  test('is read no further than a question is long', () => {
    expect(readQuestion(`who knows ${'x '.repeat(100_000)}`)).toMatchObject({ kind: 'who', isAsked: true });
    expect(readQuestion(`${'know '.repeat(100_000)}`)).toEqual({ kind: 'help' });
  });
});
