import { describe, expect, it } from 'vitest';
import { CommandError } from '../../../main/cli/failure.ts';
import { idToWriteTo, matchStart, shortIds } from '../../../main/cli/task-id.ts';
import { UsageError } from '../../../main/start-error.ts';

describe('an id to write to', () => {
  it('has four characters or more', () => {
    expect(idToWriteTo('01a2')).toBe('01a2');
    for (const given of ['', '0', '01a']) expect(() => idToWriteTo(given)).toThrow(UsageError);
  });
});

describe('the beginning of an id', () => {
  const ids = ['01a2-b', '01a2-c', '01a2-cd', '01a2-b'];

  it('stands for the one that begins like that, in whatever letter case, or is it', () => {
    expect(matchStart(ids, '01A2-B', 'handoffs')).toBe('01a2-b');
    expect(matchStart(ids, '01a2-c', 'handoffs')).toBe('01a2-c');
    expect(matchStart(ids, 'ffff', 'handoffs')).toBe('ffff');
  });

  it('is refused where several begin like that', () => {
    expect(() => matchStart(ids, '01a2', 'handoffs')).toThrow(
      new CommandError('AMBIGUOUS_ID', '3 handoffs begin with "01a2".'),
    );
  });
});

describe('short ids', () => {
  it('are long enough to tell moments apart', () => {
    const ids = ['01a22cfc-a930-75ab-9c7b-963af86fe1e4', '01a22cfc-a931-75ab-9c7b-963af86fe1e4'];
    expect([...shortIds(ids).values()]).toEqual(['01a22cfc-a930', '01a22cfc-a931']);
  });

  it('grow until they tell handoffs of one moment apart', () => {
    const ids = ['01a22cfc-a930-75ab-9c7b-963af86fe1e4', '01a22cfc-a930-75ac-9c7b-963af86fe1e4'];
    expect([...shortIds(ids).values()]).toEqual(['01a22cfc-a930-75ab', '01a22cfc-a930-75ac']);
  });

  it('take the same handoff twice, for two accounts', () => {
    const id = '01a22cfc-a930-75ab-9c7b-963af86fe1e4';
    expect([...shortIds([id, id])]).toEqual([[id, '01a22cfc-a930']]);
  });
});
