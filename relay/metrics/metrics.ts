import { formatMetric, type Sample } from './text-format.ts';

export type Labels = Readonly<Record<string, string>>;

/** What an operator watches (docs/reference/relay-http.md, Metrics). Names are Prometheus's: `agentrelay_http_requests_total`. */
export interface Metrics {
  /** Something that only grows. Call the function each time; labels are few words, never what callers wrote. */
  counter(name: string, help: string): (labels?: Labels) => void;
  /** How many of something are under way. Call the function when one begins, and what it returns when it ends. */
  tally(name: string, help: string): () => () => void;
  /** Something that is looked up when it is asked for. */
  gauge(name: string, help: string, read: () => number | readonly Sample[] | Promise<readonly Sample[]>): void;
  /** How often something took how long. `bounds` are in the unit of the name, smallest first. */
  histogram(name: string, help: string, bounds: readonly number[]): (value: number) => void;
  /** Everything, as Prometheus reads it (text-format.ts). */
  text(): Promise<string>;
}

export function createMetrics(): Metrics {
  const all: (() => Promise<string>)[] = [];
  return {
    counter(name, help) {
      const counts = new Map<string, { readonly labels: Labels; value: number }>();
      all.push(async () => formatMetric({ name, help, type: 'counter', samples: [...counts.values()] }));
      return (labels = {}) => {
        let key = '';
        for (const name in labels) key += `${labels[name]}\n`;
        const known = counts.get(key);
        if (known === undefined) counts.set(key, { labels, value: 1 });
        else known.value += 1;
      };
    },
    tally(name, help) {
      let value = 0;
      all.push(async () => formatMetric({ name, help, type: 'gauge', samples: [{ value }] }));
      return () => {
        value += 1;
        let isUnderWay = true;
        return () => {
          if (isUnderWay) value -= 1;
          isUnderWay = false;
        };
      };
    },
    gauge(name, help, read) {
      all.push(async () => {
        const seen = await read();
        return formatMetric({
          name,
          help,
          type: 'gauge',
          samples: typeof seen === 'number' ? [{ value: seen }] : seen,
        });
      });
    },
    histogram(name, help, bounds) {
      const buckets = bounds.map((bound) => ({ bound, count: 0 }));
      let sum = 0;
      let count = 0;
      all.push(async () => {
        // each bucket holds those before it
        const samples: Sample[] = buckets.map((bucket) => ({
          suffix: '_bucket',
          labels: { le: String(bucket.bound) },
          value: bucket.count,
        }));
        samples.push({ suffix: '_bucket', labels: { le: '+Inf' }, value: count });
        samples.push({ suffix: '_sum', value: sum }, { suffix: '_count', value: count });
        return formatMetric({ name, help, type: 'histogram', samples });
      });
      return (value) => {
        sum += value;
        count += 1;
        for (const bucket of buckets) if (value <= bucket.bound) bucket.count += 1;
      };
    },
    text: async () => (await Promise.all(all.map((write) => write()))).join(''),
  };
}
