/** For the end of a switch over a union: a new member becomes a type error there. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
