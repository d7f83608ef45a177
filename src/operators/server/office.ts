/** The back office: the operators' pages at `/office`. They read and act only through the operators' API. docs/operators/office.md. */
import { Router, type Request, type Response } from 'express';
import type { Identity } from '../../identity/identity';
import type { PageFile, PageFiles } from '../../page-files/page-files';
import { IMMUTABLE, pageHeaders, sendFile } from '../../page-files/send-file';
import { operatorErrors, rejectCall } from './errors';

/** The page runs only its own scripts, and calls only this process. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];

/** The built pages of the back office. */
export interface OfficeFiles extends PageFiles {
  /** The runbook as a document, with an anchor for each case. */
  runbook: PageFile;
}

interface Deps {
  files: OfficeFiles;
  door: Pick<Identity, 'personOf'>;
  /** The namespace of the workflows. */
  namespace: string;
}

/** The router for `/office`. Every path below it has the one page, except for its files, which contain no data and need no session. */
export function officePages({ files, door, namespace }: Deps): Router {
  const router = Router();
  const headers = { ...pageHeaders(CONTENT_SECURITY_POLICY), 'X-Content-Type-Options': 'nosniff' };
  router.get('/assets/:file', (request, response) => {
    const file = files.assets.get(request.params.file);
    if (!file) return rejectCall(response, operatorErrors.notFound, 'There is no such file.');
    response.set({ ...headers, 'Cache-Control': IMMUTABLE });
    sendFile(request, response, file);
  });
  // The pages know the ids of workflows, and not the namespace.
  router.get('/workflows/:id', (request, response) => {
    const path = ['namespaces', namespace, 'workflows', request.params.id].map(encodeURIComponent).join('/');
    response.redirect(303, `/temporal/${path}`);
  });
  const page = (file: PageFile) => async (request: Request, response: Response) => {
    if (!(await door.personOf(request))) {
      const next = encodeURIComponent(request.originalUrl);
      return response.redirect(303, `/identity/gate?next=${next}`);
    }
    response.set(headers);
    sendFile(request, response, file);
  };
  router.get('/runbook', page(files.runbook));
  router.get('/{*path}', page(files.page));
  return router;
}
