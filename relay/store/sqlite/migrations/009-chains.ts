/** Through whom a handoff came, as JSON: only where it follows from another one. */
export const chains = `
ALTER TABLE task ADD COLUMN chain TEXT;
`;
