import { describe, expect, it } from 'vitest';
import { inboxPresenceSchema } from '../../../relay/contract/event-schema.ts';
import { handoffViewSchema } from '../../../relay/contract/handoff.ts';
import { HOSTILE_STRINGS } from '../../support/hostile-corpus.ts';
import { rawDangers } from '../../support/raw-dangers.ts';
import { view } from '../renderer/samples.ts';

/** Of the corpus, what a relay may call an agent: ASCII that looks like other ASCII. Knowing whom one knows is for `visibleHandle`. */
const HANDLES = ['a1ice@acme', 'al1ce@acme', 'frank@acrne', 'ALICE@ACME', 'constructor'];

describe('a handle that a relay tells', () => {
  it('is a handle, or what tells it is not read', () => {
    const taken = HOSTILE_STRINGS.filter((text) => handoffViewSchema.safeParse(view({ sender: text })).success);
    expect(taken.toSorted()).toEqual(HANDLES.toSorted());
    expect(HOSTILE_STRINGS.filter((text) => handoffViewSchema.safeParse(view({ recipient: text })).success)).toEqual(
      taken,
    );
    expect(HOSTILE_STRINGS.filter((handle) => inboxPresenceSchema.safeParse({ handle, online: true }).success)).toEqual(
      taken,
    );
  });

  it('holds nothing to be marked', () => {
    for (const handle of HANDLES) expect(rawDangers(handle)).toEqual([]);
  });
});
