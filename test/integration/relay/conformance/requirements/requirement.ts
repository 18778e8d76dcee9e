/** What the specification asks of whom, in its own words for it (RFC 2119). */
export type Level = 'MUST' | 'MUST NOT' | 'SHOULD' | 'SHOULD NOT' | 'MAY';

/** `not ours`: it binds somebody else, or a case that a relay is never in. */
export type Status = 'met' | 'not met' | 'not ours';

/** One requirement of A2A 1.0.1, said in our own words. */
export interface Requirement {
  /** The section, a dash, and a number within it: `3.1.4-2`. */
  readonly id: string;
  /** `3.1.4`, or the name of one of the specification's topics. */
  readonly section: string;
  readonly level: Level;
  /** One sentence. */
  readonly says: string;
  readonly status: Status;
  /** Why it is not met or not ours; of what is met, what one may want to know. Empty where there is nothing to say. */
  readonly why: string;
}

/** The requirements of one chapter, in its order. */
export interface Chapter {
  readonly title: string;
  readonly requirements: readonly Requirement[];
}

/** The relay does it; where it is a MUST, a test shows it. */
export function met(id: string, level: Level, says: string, remark = ''): Requirement {
  return requirement(id, level, says, 'met', remark);
}

/** The relay does it not, or not always. */
export function notMet(id: string, level: Level, says: string, why: string): Requirement {
  return requirement(id, level, says, 'not met', why);
}

/** Nothing that a relay could do or leave. */
export function notOurs(id: string, level: Level, says: string, why: string): Requirement {
  return requirement(id, level, says, 'not ours', why);
}

function requirement(id: string, level: Level, says: string, status: Status, why: string): Requirement {
  return { id, section: id.slice(0, id.lastIndexOf('-')), level, says, status, why };
}
