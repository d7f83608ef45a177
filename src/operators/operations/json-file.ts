import type { NamedText } from './arguments';

/** The JSON value of a file. Throws if the file is not JSON, without its content, which may be confidential. */
export function jsonIn({ name, text }: NamedText): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${name} cannot be read as JSON: correct the file`);
  }
}
