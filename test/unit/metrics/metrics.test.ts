import { describe, expect, test } from 'vitest';
import { createMetrics } from '../../../relay/metrics/metrics.ts';
import { addProcessMetrics } from '../../../relay/metrics/process-metrics.ts';
import { formatMetric } from '../../../relay/metrics/text-format.ts';

describe('a metric in text', () => {
  test('has its help, its type and one line for each number', () => {
    const samples = [{ labels: { route: '/a/:handle', status: '200' }, value: 3 }, { value: 0.5 }];
    expect(formatMetric({ name: 'requests_total', help: 'Requests.', type: 'counter', samples })).toBe(
      [
        '# HELP requests_total Requests.',
        '# TYPE requests_total counter',
        'requests_total{route="/a/:handle",status="200"} 3',
        'requests_total 0.5',
        '',
      ].join('\n'),
    );
  });

  test.each([
    ['a"b', 'a\\"b'],
    ['a\\b', 'a\\\\b'],
    ['a\nb', 'a\\nb'],
  ])('escapes the label %j', (text, escaped) => {
    const samples = [{ labels: { l: text }, value: 1 }];
    expect(formatMetric({ name: 'm', help: '', type: 'gauge', samples })).toContain(`m{l="${escaped}"} 1\n`);
  });

  test.each([
    [Number.POSITIVE_INFINITY, '+Inf'],
    [Number.NEGATIVE_INFINITY, '-Inf'],
    [Number.NaN, 'NaN'],
    [1e21, '1e+21'],
    [-0.25, '-0.25'],
  ])('writes %d as %s', (value, text) => {
    expect(formatMetric({ name: 'm', help: '', type: 'gauge', samples: [{ value }] })).toContain(`m ${text}\n`);
  });
});

describe('metrics', () => {
  test('count each set of labels by itself', async () => {
    const metrics = createMetrics();
    const count = metrics.counter('seen_total', 'Seen.');
    count({ by: 'frank' });
    count({ by: 'alice' });
    count({ by: 'frank' });
    expect(await metrics.text()).toContain('seen_total{by="frank"} 2\nseen_total{by="alice"} 1\n');
  });

  test('know how many are under way, and take each end once', async () => {
    const metrics = createMetrics();
    const begin = metrics.tally('open', 'Open.');
    const [end] = [begin(), begin()];
    end?.();
    end?.();
    expect(await metrics.text()).toContain('open 1\n');
  });

  test('look a gauge up each time they are asked', async () => {
    const metrics = createMetrics();
    let now = 1;
    metrics.gauge('one', 'One number.', () => now++);
    metrics.gauge('many', 'Several.', async () => [{ labels: { state: 'pending' }, value: now }]);
    expect(await metrics.text()).toContain('one 1\n');
    const text = await metrics.text();
    expect(text).toContain('one 2\n');
    expect(text).toContain('many{state="pending"} 3\n');
  });

  test('sum up a histogram: each bucket holds those before it', async () => {
    const metrics = createMetrics();
    const observe = metrics.histogram('took_seconds', 'Took.', [0.01, 0.1]);
    for (const value of [0.005, 0.01, 0.05, 7]) observe(value);
    expect((await metrics.text()).split('\n').slice(2)).toEqual([
      'took_seconds_bucket{le="0.01"} 2',
      'took_seconds_bucket{le="0.1"} 3',
      'took_seconds_bucket{le="+Inf"} 4',
      'took_seconds_sum 7.065',
      'took_seconds_count 4',
      '',
    ]);
  });

  test('tell what the process uses', async () => {
    const metrics = createMetrics();
    addProcessMetrics(metrics);
    const resident = Number(/^process_resident_memory_bytes (\d+)$/m.exec(await metrics.text())?.[1]);
    expect(resident).toBeGreaterThan(1_000_000);
  });
});
