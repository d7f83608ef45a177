/** Reads whose response has an `ETag`: a caller who has the content already gets it again only if it has changed. */
import type { Reply } from './exchange.ts';
import type { CallOptions } from './transport.ts';

/** The options of a read whose response has an `ETag`: of the catalogue, reference data and the price list. */
export interface ConditionalOptions extends CallOptions {
  /** The tag of the content that you have (`etagOf`). While it has not changed, the read returns `NOT_MODIFIED`. */
  ifNoneMatch?: string | undefined;
}

/** The result of a read with `ifNoneMatch` while the content has not changed. */
export const NOT_MODIFIED: unique symbol = Symbol('not modified');
export type NotModified = typeof NOT_MODIFIED;

/** The result of a read: `NOT_MODIFIED` is possible only if its options have `ifNoneMatch`. */
export type Read<Content, Options> = 'ifNoneMatch' extends keyof Options ? Content | NotModified : Content;

const tags = new WeakMap<object, string | undefined>();

/** Returns the tag of a content or a page as the library returned it. Undefined if its response had no `ETag`. */
export function etagOf(content: object): string | undefined {
  return tags.get(content);
}

/** Sends a read, and keeps the tag of its content. Only a call with `ifNoneMatch` returns `NOT_MODIFIED`. */
export async function readContent<Content extends object>(
  { ifNoneMatch, ...options }: ConditionalOptions,
  send: (options: CallOptions & { headers?: Record<string, string> }) => Promise<Reply>,
  contentOf: (reply: Reply) => Content,
): Promise<Content | NotModified> {
  const reply = await send(
    ifNoneMatch === undefined ? options : { ...options, headers: { 'if-none-match': ifNoneMatch } },
  );
  if (reply.status === 304) return NOT_MODIFIED;
  const content = contentOf(reply);
  tags.set(content, reply.headers.get('etag') ?? undefined);
  return content;
}
