const numbers = new Intl.NumberFormat('en-GB');

/** A number with its noun: `1 more line`, `1,204 more lines`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${numbers.format(count)} ${count === 1 ? one : many}`;
}
