import { UsageError } from '../start-error.ts';
import { formatDuration, parseDuration } from './duration.ts';

/** A flag of a command. */
export interface Flag {
  /** What its value stands for in the help (`FILE`); a flag without one is on or off. */
  readonly value?: string;
  readonly short?: string;
  /** May be given several times. */
  readonly multiple?: true;
  /** One line for the help. */
  readonly help: string;
}
export type FlagTable = Readonly<Record<string, Flag>>;

/** What `util.parseArgs` makes of a flag. */
export type FlagValue = string | boolean | (string | boolean)[] | undefined;

/** The flags of one command line. */
export interface Flags {
  /** The value of a flag; undefined when it was not given. */
  text(name: string): string | undefined;
  /** The values of a flag that may be given several times. */
  texts(name: string): readonly string[];
  isOn(name: string): boolean;
  /** The value as one of the words it may be. Fails with a UsageError that lists them. */
  oneOf<W extends string>(name: string, words: readonly W[]): W | undefined;
  /** The values as some of the words they may be. */
  someOf<W extends string>(name: string, words: readonly W[]): readonly W[];
  /** The value as a whole number in a range. */
  count(name: string, min: number, max: number): number | undefined;
  /** The value as a length of time (`10m`, `24h`) in a range; all in seconds. */
  seconds(name: string, min: number, max: number): number | undefined;
}

export function createFlags(values: Readonly<Record<string, FlagValue>>): Flags {
  const texts = (name: string): readonly string[] =>
    [values[name]].flat().filter((value): value is string => typeof value === 'string');
  const text = (name: string): string | undefined => texts(name).at(-1);
  const word = <W extends string>(name: string, given: string, words: readonly W[]): W => {
    const found = words.find((one) => one === given);
    if (found === undefined) throw new UsageError(`--${name} is one of ${words.join(', ')}, not "${given}".`);
    return found;
  };
  return {
    text,
    texts,
    isOn: (name) => values[name] === true,
    oneOf: (name, words) => {
      const given = text(name);
      return given === undefined ? undefined : word(name, given, words);
    },
    someOf: (name, words) => texts(name).map((given) => word(name, given, words)),
    count: (name, min, max) => {
      const given = text(name);
      if (given === undefined) return undefined;
      const number = /^\d{1,9}$/.test(given) ? Number(given) : Number.NaN;
      if (!(number >= min && number <= max)) {
        throw new UsageError(`--${name} is a number from ${min} to ${max}, not "${given}".`);
      }
      return number;
    },
    seconds: (name, min, max) => {
      const given = text(name);
      if (given === undefined) return undefined;
      const seconds = (parseDuration(given) ?? Number.NaN) / 1000;
      if (seconds >= min && seconds <= max) return seconds;
      const [from, to] = [min, max].map((one) => formatDuration(one * 1000));
      throw new UsageError(`--${name} is from ${from} to ${to}, such as 90s, 10m or 24h, not "${given}".`);
    },
  };
}
