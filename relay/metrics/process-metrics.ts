import type { Metrics } from './metrics.ts';

/** What the process itself uses, by the names that Prometheus's own clients give it. */
export function addProcessMetrics(metrics: Metrics): void {
  metrics.gauge('process_resident_memory_bytes', 'Resident memory size in bytes.', () => process.memoryUsage.rss());
  metrics.gauge('nodejs_heap_size_used_bytes', 'Heap in use, bytes.', () => process.memoryUsage().heapUsed);
  metrics.gauge('process_start_time_seconds', 'When the process started, seconds since the epoch.', () =>
    Math.round(performance.timeOrigin / 1000),
  );
}
