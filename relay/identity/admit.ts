import type { Agent } from '../store/ports.ts';

/** What becomes of something that one agent sends another. */
export type Admission = { readonly kind: 'deliver' };

/**
 * Decides whether `sender` may reach `recipient`. Asked once for every delivery, whatever key, endpoint or dialect it
 * came by, and before anything of it is stored: who may write to whom is decided here and in no other place.
 */
export type Admit = (sender: Agent, recipient: Agent) => Promise<Admission>;

/** Every agent of a relay may write to every other one. */
export const admit: Admit = () => Promise.resolve({ kind: 'deliver' });
