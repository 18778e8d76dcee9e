import { expect, test } from 'vitest';
import { BINDINGS, BoundClient, type Binding } from '../../../support/bound-client.ts';
import type { FrankAndAlice } from '../../../support/frank-and-alice.ts';
import { titleOf } from './requirements/titles.ts';

/** Who shows a requirement, over one binding. */
export interface Bound {
  readonly binding: Binding;
  /** He sends to alice. */
  readonly frank: BoundClient;
  readonly alice: BoundClient;
}

/** Tests of requirements on a relay: of one, or of several that sections say alike. */
export function requirementsOn({ frank, alice }: Pick<FrankAndAlice, 'frank' | 'alice'>) {
  /** Over the one binding that they are about. */
  const meetsOver = (binding: Binding, ids: readonly string[], body: (by: Bound) => Promise<void>): void => {
    test(`${titleOf(ids)} (${binding})`, async () => {
      expect.hasAssertions();
      await body({ binding, frank: new BoundClient(binding, frank), alice: new BoundClient(binding, alice) });
    });
  };
  /** Over each binding. */
  const meets = (ids: readonly string[], body: (by: Bound) => Promise<void>): void => {
    for (const binding of BINDINGS) meetsOver(binding, ids, body);
  };
  return { meets, meetsOver };
}

/** A test of requirements that have nothing to do with a binding. */
export function meetsOnce(ids: readonly string[], body: () => void | Promise<void>): void {
  test(`${titleOf(ids)}`, async () => {
    expect.hasAssertions();
    await body();
  });
}
