import { first } from './001-first.ts';

/** In order; the n-th brings a store from schema n-1 to n. What has been released is never changed, only added to. */
export const MIGRATIONS: readonly string[] = [first];
