/** Paths in the one form in which the proxy decides about them and passes them on. */

/** A segment, decoded: no separator, nothing that another server may decode a second time, no control character. */
const plain = /^[\w.~:@+ -]+$/;

/**
 * The decoded segments of the path, `['']` for the root. Undefined for every other way to write a path: an empty or dot segment, an
 * encoded slash, a backslash, a second encoding, a whole URL.
 */
export function segmentsOf(path: string): string[] | undefined {
  if (path === '/') return [''];
  if (!path.startsWith('/')) return undefined;
  const segments = path.slice(1).split('/').map(decoded);
  return segments.every((segment) => plain.test(segment) && !/^\.+$/.test(segment)) ? segments : undefined;
}

/** A malformed segment stays as it is, and its percent sign is not plain. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The path of these segments. Whatever the caller wrote, only this form is passed on. */
export function plainPath(segments: readonly string[]): string {
  return segments.map((segment) => `/${encodeURIComponent(segment)}`).join('');
}
