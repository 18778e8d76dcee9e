import { describe, expect, it } from 'vitest';
import type { Part } from '../../../relay/contract/a2a.ts';
import { textsBelow, textsOf } from '../../../renderer/text/subject.ts';

const SUBJECT = 'Rate limiter returns 500';
const DATA: Part = { data: 1 };
const below = (parts: readonly Part[]): unknown => [...textsBelow(SUBJECT, parts)];

describe('the texts of a first message', () => {
  it('leave out the first line where it is the subject, and the empty lines behind it', () => {
    expect(below([{ text: `${SUBJECT}\n\n  \nThe limiter throws.\nOften.` }])).toEqual([
      [0, 'The limiter throws.\nOften.'],
    ]);
    expect(below([{ text: `\n  ${SUBJECT} \r\n\r\nThe limiter throws.` }])).toEqual([[0, 'The limiter throws.']]);
  });

  it('keep how the next line begins', () => {
    expect(below([{ text: `${SUBJECT}\n\n    const a = 1;` }])).toEqual([[0, '    const a = 1;']]);
  });

  it('are whole where the first line says more, less or something else', () => {
    for (const text of [`${SUBJECT} instead of 429\nx`, 'Rate\nx', `# ${SUBJECT}\nx`]) {
      expect(below([{ text }])).toEqual([[0, text]]);
    }
  });

  it('are none where the subject is all that is said', () => {
    for (const text of [SUBJECT, `${SUBJECT}\n`, `${SUBJECT}\n\n  `]) expect(below([{ text }, DATA])).toEqual([]);
    expect(below([{ text: SUBJECT }, { text: SUBJECT }])).toEqual([[1, SUBJECT]]);
  });

  it('have their places, and there may be none', () => {
    expect(below([DATA, { text: `${SUBJECT}\nx` }])).toEqual([[1, 'x']]);
    expect(below([DATA])).toEqual([]);
  });

  it('of any other message are as they are', () => {
    expect([...textsOf([DATA, { text: `${SUBJECT}\nx` }])]).toEqual([[1, `${SUBJECT}\nx`]]);
  });
});
