/** The generations of A2A that have push notifications, by the names of their dialects: what is told later has a form too. */
export type Generation = 'A2A 1.0' | 'A2A 0.3' | 'A2A 0.1';
