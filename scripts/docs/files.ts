/** The documents that hold something generated, from the project's folder. */
export const GENERATED_DOCS = [
  'docs/conformance.md',
  'docs/explanation/state-machine.md',
  'docs/reference/audit.md',
  'docs/reference/cli.md',
  'docs/reference/errors.md',
] as const;
