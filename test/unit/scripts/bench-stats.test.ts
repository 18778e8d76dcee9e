import { describe, expect, it } from 'vitest';
import { budget, quantile, spread } from '../../bench/stats.ts';

describe('the figures of a bench', () => {
  it('stand beside what they are held against', () => {
    expect(budget('at most 5', false)).toContain('budget: at most 5');
  });

  it('are held against nothing in a run that is only a look', () => {
    expect(budget('at most 5', true)).toBe('');
  });

  it('are a median with the least and the most, and the values below which a share lies', () => {
    expect(spread([3, 1, 2], 1)).toBe('2.0 (1.0 – 3.0)');
    const samples = Array.from({ length: 100 }, (_, i) => i);
    expect([quantile(samples, 0.5), quantile(samples, 0.99)]).toEqual([50, 99]);
  });
});
