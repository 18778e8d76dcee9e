declare module 'vitest' {
  interface TaskMeta {
    /** Why a test is skipped where it is. */
    skipReason?: string;
  }
}

/**
 * What stands beside `skipIf`: why a test, or all of a suite, is skipped where it is. The sum of a run says it once, with
 * the number of tests that it holds for: `describe.skipIf(node === undefined)('…', because('there is no Node'), …)`.
 */
export function because(skipReason: string): { readonly meta: { readonly skipReason: string } } {
  return { meta: { skipReason } };
}
