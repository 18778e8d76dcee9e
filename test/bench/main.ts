import { cpus } from 'node:os';
import { sendThroughput } from './send-throughput.ts';
import { streamLatency } from './stream-latency.ts';

const isQuick = process.argv.includes('--quick');

console.log(`Node ${process.versions.node}, ${cpus().length} cores`);
if (isQuick) console.log('A look only: it is too short to be held against the budgets.');
console.log('');
await sendThroughput({ rounds: isQuick ? 1 : 5, seconds: isQuick ? 1 : 4, connections: 64, isQuick });
console.log('');
await streamLatency({ sends: isQuick ? 100 : 1000, isQuick });
