/** Reads values of unknown type, such as bodies, files and thrown values. */

/** Whether the value is an object as JSON has them: neither null nor a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The property of an object; undefined if it has none, and for a value that is no object. */
export function propertyOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** The message of an error, or the text of another thrown value. */
export function thrownMessage(thrown: unknown): string {
  const message = propertyOf(thrown, 'message');
  return typeof message === 'string' ? message : String(thrown);
}
