import { z } from 'zod';
import type { Agent, Profile } from '../ports.ts';

/** A row of `agent`. */
export interface AgentRow {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
  readonly kind: Agent['kind'];
  readonly replies: Agent['replies'];
  readonly display_name: string;
  readonly description: string;
  readonly role: string | null;
  readonly role_given: number;
  readonly skills: string;
  readonly repos: string;
  readonly listed: number;
  readonly contacts: Agent['contacts'];
  readonly profile: string | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly removed_at: number | null;
}

const textsSchema = z.array(z.string());

/** An agent as it was written; undefined where there is no row. */
export function readAgent(row: AgentRow | undefined): Agent | undefined {
  return row === undefined ? undefined : toAgent(row);
}

/** An agent as it was written. */
export function toAgent(row: AgentRow): Agent {
  return {
    id: row.id,
    uid: row.uid,
    name: row.name,
    kind: row.kind,
    replies: row.replies,
    displayName: row.display_name,
    description: row.description,
    ...(row.role === null ? {} : { role: row.role }),
    ...(row.role_given === 1 && { hasGivenRole: true as const }),
    skills: textsSchema.parse(JSON.parse(row.skills)),
    repos: textsSchema.parse(JSON.parse(row.repos)),
    listed: row.listed === 1,
    contacts: row.contacts,
    // written from a profile, which was checked when it was taken
    ...(row.profile === null ? {} : { profile: JSON.parse(row.profile) as Profile }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    ...(row.removed_at === null ? {} : { removedAt: row.removed_at }),
  };
}
