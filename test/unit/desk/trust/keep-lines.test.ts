import { describe, expect, it } from 'vitest';
import { keepLines } from '../../../../main/desk/trust/keep-lines.ts';

const text = (...lines: readonly string[]): string => lines.join('\n');

describe('lines that are kept', () => {
  it('are all of them where nothing is changed', () => {
    expect(keepLines('a  : 1', 'a: 1\n', 'a: 1\n')).toBe('a  : 1');
  });

  it('are those above and below a change, with their own spaces and empty lines', () => {
    const own = text('a  : 1', '', '', 'b:   2', '', 'c: 3   ', '', '', 'd:  4', '');
    const before = text('a: 1', '', 'b: 2', '', 'c: 3', '', 'd: 4', '');
    expect(keepLines(own, before, before.replace('c: 3', 'c: 9'))).toBe(
      text('a  : 1', '', '', 'b:   2', '', 'c: 9', '', '', 'd:  4', ''),
    );
  });

  it('are so where the library has made two of one', () => {
    const own = text('a:   # one', '  x: 1', 'b:   # two', '  y:  2', '');
    const before = text('a:', '  # one', '  x: 1', 'b:', '  # two', '  y: 2', '');
    const after = text('a:', '  # one', '  x: 1', '  new: 1', 'b:', '  # two', '  y: 2', '');
    expect(keepLines(own, before, after)).toBe(text('a:   # one', '  x: 1', '  new: 1', 'b:   # two', '  y:  2', ''));
  });

  it('are not those of which a part is changed', () => {
    const own = text('a:   # one', '  x: 1', '');
    const before = text('a:', '  # one', '  x: 1', '');
    const after = text('a:', '  # other', '  x: 1', '');
    expect(keepLines(own, before, after)).toBe(text('a:', '  # other', '  x: 1', ''));
  });

  it('are none from where the library writes something else than spaces anew', () => {
    const own = text('x:  1', 'a: [', '  1,', ']', 'y:  1', '');
    const before = text('x: 1', 'a: [1]', 'y: 1', '');
    const after = text('x: 1', 'a: [1]', 'n: 1', 'y: 1', '');
    expect(keepLines(own, before, after)).toBe(text('x:  1', 'a: [1]', 'n: 1', 'y:  1', ''));
  });

  it('may be repeated without being taken for one another', () => {
    const own = text('- a', '- a', '- a', '');
    expect(keepLines(own, own, text('- a', '- a', ''))).toBe(text('- a', '- a', ''));
    expect(keepLines(own, own, text('- a', '- a', '- a', '- a', ''))).toBe(text('- a', '- a', '- a', '- a', ''));
  });
});
