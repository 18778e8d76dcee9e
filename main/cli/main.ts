export const run = (argv: readonly string[]): Promise<void> => Promise.resolve(void argv);
