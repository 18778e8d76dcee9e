// Only the version guard is imported statically; everything else comes after it.
import '../require-node.ts';
await import('./main.ts').then((m) => m.run(process.argv.slice(2)));
