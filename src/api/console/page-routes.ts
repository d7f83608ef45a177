/** The console's page and what it loads. docs/clients/console.md. */
import type { Router } from 'express';
import type { Dependencies } from '../dependencies';
import { pageRoutes } from '../shared/page-files';

/** The page runs and loads what comes from here, and talks to nobody else. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];

/** GET /, GET /assets/:file. */
export function consolePageRoutes({ consoleFiles }: Dependencies): Router {
  return pageRoutes(consoleFiles, CONTENT_SECURITY_POLICY);
}
