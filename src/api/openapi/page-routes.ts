/** The document to read: a page that shows it. docs/developers/api-reference.md#the-page. */
import type { Router } from 'express';
import type { Dependencies } from '../dependencies';
import { pageRoutes } from '../shared/page-files';

/** The page runs and loads what comes from here, and tries operations of this very stack. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  // The renderer writes style sheets into the page, others with each release; no script gets in by them.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];

/** GET /, GET /assets/:file, without a token. */
export function referencePageRoutes({ referenceFiles }: Pick<Dependencies, 'referenceFiles'>): Router {
  return pageRoutes(referenceFiles, CONTENT_SECURITY_POLICY);
}
