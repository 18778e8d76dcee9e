import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createNames } from '../../../main/desk/accounts/names.ts';
import { NAME_PATTERN } from '../../../relay/contract/handle.ts';
import { sampleFrame, sampleView } from './samples.ts';

const name = fc.stringMatching(/^[a-z0-9]([a-z0-9._-]{0,20}[a-z0-9])?$/).filter((text) => NAME_PATTERN.test(text));

describe('handles of a relay on this desk', () => {
  it('carry what the relay is called here, whatever it calls itself or claims', () => {
    const names = createNames('other', 'acme');
    expect(names.local('frank@acme')).toBe('frank@other');
    // one that it says is on a relay of somebody else's
    expect(names.local('frank@vendor')).toBe('frank@other');
    expect(names.local('Frank@ACME')).toBe('frank@other');
    expect(names.wire('frank@other')).toBe('frank@acme');
  });

  it('stay what they are where the relay is called here as it calls itself', () => {
    const names = createNames('acme', 'acme');
    expect([names.local('frank@acme'), names.wire('frank@acme')]).toEqual(['frank@acme', 'frank@acme']);
  });

  it('of another relay are never sent to this one', () => {
    const names = createNames('other', 'acme');
    for (const handle of ['frank@acme', 'frank@vendor', 'frank', '', 'frank@other@acme']) {
      expect(() => names.wire(handle)).toThrow(expect.objectContaining({ reason: 'RECIPIENT_NOT_FOUND' }));
    }
  });

  it('come back as they went, and never as those of another relay', () => {
    fc.assert(
      fc.property(name, name, name, name, (member, alias, relayName, claimed) => {
        const names = createNames(alias, relayName);
        const local = names.local(`${member}@${claimed}`);
        expect(local).toBe(`${member}@${alias}`);
        expect(names.local(names.wire(local))).toBe(local);
      }),
    );
  });

  it('in handoffs are both sides', () => {
    const names = createNames('other', 'acme');
    expect(names.localView(sampleView())).toMatchObject({ sender: 'alice@other', recipient: 'frank@other' });
    const frame = sampleFrame('t1', 2);
    expect(names.localFrame(frame)).toEqual({ ...frame, handoff: names.localView(frame.handoff) });
  });
});
