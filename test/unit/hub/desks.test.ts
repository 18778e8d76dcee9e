import { describe, expect, test } from 'vitest';
import { createDesks } from '../../../relay/hub/desks.ts';

const ALICE = 1;
const FRANK = 2;

/** Attaches, and notes when the place is lost. */
function place() {
  const desks = createDesks();
  const lost: string[] = [];
  const attach = (agent: number, deskId: string, takeOver = false): (() => void) =>
    desks.attach(agent, deskId, takeOver, (byOther) => lost.push(`${deskId} ${byOther ? 'to another' : 'to itself'}`));
  return { attach, lost };
}

const IN_USE = expect.objectContaining({ reason: 'ACCOUNT_IN_USE', message: expect.stringContaining('take_over=1') });

describe('the desk of an account', () => {
  test('replaces its own dead stream at once', () => {
    const { attach, lost } = place();
    attach(ALICE, 'laptop');
    attach(ALICE, 'laptop');
    expect(lost).toEqual(['laptop to itself']);
  });

  test('is not disturbed by another one', () => {
    const { attach, lost } = place();
    attach(ALICE, 'laptop');
    expect(() => attach(ALICE, 'desktop')).toThrow(IN_USE);
    expect(lost).toEqual([]);
    expect(() => attach(ALICE, 'desktop')).toThrow(IN_USE);
  });

  test('is told when another one takes over, which then has the place', () => {
    const { attach, lost } = place();
    attach(ALICE, 'laptop');
    attach(ALICE, 'desktop', true);
    expect(lost).toEqual(['laptop to another']);
    expect(() => attach(ALICE, 'laptop')).toThrow(IN_USE);
  });

  test('leaves the place free when it goes', () => {
    const { attach, lost } = place();
    attach(ALICE, 'laptop')();
    attach(ALICE, 'desktop');
    expect(lost).toEqual([]);
  });

  test('that has lost the place gives up nobody else’s when it goes', () => {
    const { attach } = place();
    const detachLaptop = attach(ALICE, 'laptop');
    attach(ALICE, 'desktop', true);
    detachLaptop();
    expect(() => attach(ALICE, 'phone')).toThrow(IN_USE);
  });

  test('has lost the place before it is told, so that it may go at once', () => {
    const desks = createDesks();
    const detach = desks.attach(ALICE, 'laptop', false, () => detach());
    desks.attach(ALICE, 'desktop', true, () => undefined);
    expect(() => desks.attach(ALICE, 'laptop', false, () => undefined)).toThrow(IN_USE);
  });

  test('says nothing of other accounts', () => {
    const { attach, lost } = place();
    attach(ALICE, 'laptop');
    attach(FRANK, 'desktop');
    expect(lost).toEqual([]);
  });

  test('takes over an account that nobody reads, too', () => {
    const { attach, lost } = place();
    attach(ALICE, 'laptop', true);
    expect(lost).toEqual([]);
    expect(() => attach(ALICE, 'desktop')).toThrow(IN_USE);
  });
});
