import { first } from './001-first.ts';
import { turns } from './002-turns.ts';
import { accounts } from './003-accounts.ts';

/** In order; the n-th brings a `desk.db` from schema n-1 to n. What has been released is never changed, only added to. */
export const DESK_MIGRATIONS: readonly string[] = [first, turns, accounts];
