import { join } from 'node:path';

/** The project's own folder. */
export const ROOT = join(import.meta.dirname, '../..');
