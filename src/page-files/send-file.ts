/** Sends the files of built pages. */
import type { Request, Response } from 'express';
import { clientHolds } from '../http/conditional-requests';
import { encodings, type PageFile } from './page-files';

/** Browsers may keep a file whose name changes with its content. */
export const IMMUTABLE = 'public, max-age=31536000, immutable';

/** The headers of a page. The policy restricts what the page may load and call. */
export function pageHeaders(contentSecurityPolicy: readonly string[]): Readonly<Record<string, string>> {
  return {
    'Cache-Control': 'no-cache',
    'Content-Security-Policy': contentSecurityPolicy.join('; '),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
  };
}

/**
 * Sends the file, compressed if the caller accepts that, or 304 if the caller has it. Only files are compressed: a response with codes and
 * tokens would reveal its content by its length. docs/operators/configuration.md#compression.
 */
export function sendFile(request: Request, response: Response, { type, body, copies, etag }: PageFile): void {
  const accepted = encodings.find((encoding) => copies[encoding] && request.acceptsEncodings(encoding) !== false);
  // Each encoding is a representation of its own (RFC 9110, section 8.8.3.3).
  const ownEtag = accepted ? etag.replace(/"$/, `-${accepted}"`) : etag;
  response.set({ 'Content-Type': type, ETag: ownEtag, Vary: 'Accept-Encoding' });
  if (clientHolds(request, ownEtag)) return void response.status(304).end();
  if (accepted) response.set('Content-Encoding', accepted);
  response.end((accepted && copies[accepted]) ?? body);
}
