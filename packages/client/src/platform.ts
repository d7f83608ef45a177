/**
 * Types of the platform, as the caller's program knows them: from the types of Node, of the DOM, or of neither. So the library's
 * types need no others.
 */
type Global<Name extends string> =
  typeof globalThis extends Readonly<Record<Name, { prototype: infer Type }>> ? Type : unknown;

/** `Headers` of the Fetch API. */
export type HttpHeaders = Global<'Headers'>;
/** `Response` of the Fetch API. */
export type HttpResponse = Global<'Response'>;
/** The signal of an `AbortController`. */
export type CancelSignal = Global<'AbortSignal'>;
/** A stream of bytes, such as `ReadableStream`. */
export type ByteStream = Global<'ReadableStream'> & AsyncIterable<Uint8Array>;
