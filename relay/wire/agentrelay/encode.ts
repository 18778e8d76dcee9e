/** The methods of our extension answer in 0.3's shape under any version (docs/extension.md). */
export { encodeTask03 } from '../a2a-0.3/task.ts';
