import { cpus } from 'node:os';
import { sendThroughput } from './send-throughput.ts';
import { streamLatency } from './stream-latency.ts';

const isQuick = process.argv.includes('--quick');

console.log(`Node ${process.versions.node}, ${cpus().length} cores\n`);
await sendThroughput({ rounds: isQuick ? 1 : 5, seconds: isQuick ? 1 : 4, connections: 64 });
console.log('');
await streamLatency({ sends: isQuick ? 100 : 1000 });
