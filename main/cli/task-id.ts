import type { DeskConnection } from '../mcp/socket-client.ts';
import { UsageError } from '../start-error.ts';
import { CommandError } from './failure.ts';

/** A UUID in full; what is shorter is meant as the beginning of one. */
const FULL_LENGTH = 36;
/** Ids are ordered by time, and begin with it: fewer characters than these are the same for handoffs of one moment. */
const SHOWN_LENGTH = 13;
/** A command that writes takes no less of an id: a slip of the hand is not to be the beginning of some handoff. */
const LEAST_TO_WRITE = 4;

/** The id as it was given to a command that writes. Fails with a UsageError when it is too short to be meant. */
export function idToWriteTo(given: string): string {
  if (given.length >= LEAST_TO_WRITE) return given;
  throw new UsageError(`"${given}" is too short for an id: give at least ${LEAST_TO_WRITE} characters of it.`);
}

/**
 * The id of a handoff, of which a person may give the beginning. What is no beginning of an open or recent handoff is
 * taken as it is: the desk says what it thinks of it. Fails with AMBIGUOUS_ID.
 */
export async function resolveTaskId(desk: Pick<DeskConnection, 'call'>, given: string): Promise<string> {
  if (given.length >= FULL_LENGTH) return given;
  const { items } = await desk.call('getSnapshot', {});
  return matchStart(
    items.map((item) => item.task_id),
    given,
    'handoffs',
  );
}

/**
 * The one of these ids that begins like that; what none begins like is taken as it is. Fails with AMBIGUOUS_ID.
 * @param what these are the ids of
 */
export function matchStart(ids: readonly string[], given: string, what: string): string {
  if (ids.includes(given)) return given;
  const start = given.toLowerCase();
  const found = new Set(ids.filter((id) => id.startsWith(start)));
  if (found.size > 1) throw new CommandError('AMBIGUOUS_ID', `${found.size} ${what} begin with "${given}".`);
  return found.values().next().value ?? given;
}

/** Beginnings of ids, as short as they can be and still tell these apart. */
export function shortIds(ids: readonly string[]): ReadonlyMap<string, string> {
  let length = SHOWN_LENGTH;
  while (length < FULL_LENGTH && new Set(ids.map((id) => id.slice(0, length))).size < new Set(ids).size) length += 1;
  return new Map(ids.map((id) => [id, id.slice(0, length)]));
}
