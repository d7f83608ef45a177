/** For the branch of a switch that no value reaches: the compiler holds it, and a value from outside is an error. */
export function assertNever(value: never): never {
  throw new Error(`No case for ${typeof value === 'string' ? value : typeof value}`);
}
