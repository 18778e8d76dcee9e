import { OPERATIONS } from './chapter-3.ts';
import { SEMANTICS } from './chapter-3-semantics.ts';
import { BINDINGS_IN_GENERAL, DATA_MODEL } from './chapters-4-and-5.ts';
import { AGENT_CARD, AUTHENTICATION } from './chapters-7-and-8.ts';
import { CUSTOM_BINDINGS, GRPC, HTTP_JSON, JSON_RPC } from './chapters-9-to-12.ts';
import { ACCESS, PRACTICE } from './chapter-13.ts';
import { REGISTRATIONS } from './chapter-14-and-topics.ts';
import type { Chapter, Requirement } from './requirement.ts';

/**
 * Every sentence of A2A 1.0.1 that binds a server, in the order of the specification. What binds clients alone is one row
 * a chapter. Chapters 1, 2 and 6 and appendix B have none.
 */
export const CHAPTERS: readonly Chapter[] = [
  OPERATIONS,
  SEMANTICS,
  DATA_MODEL,
  BINDINGS_IN_GENERAL,
  AUTHENTICATION,
  AGENT_CARD,
  JSON_RPC,
  GRPC,
  HTTP_JSON,
  CUSTOM_BINDINGS,
  ACCESS,
  PRACTICE,
  REGISTRATIONS,
];

/** All of them. */
export const REQUIREMENTS: readonly Requirement[] = CHAPTERS.flatMap(({ requirements }) => requirements);

/** The requirement of that id; fails where there is none. */
export function requirementOf(id: string): Requirement {
  const found = REQUIREMENTS.find((one) => one.id === id);
  if (found === undefined) throw new Error(`no requirement has the id ${id}`);
  return found;
}
