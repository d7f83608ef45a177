/** The routes of a built page. */
import { errors } from '../../domain/errors';
import type { PageFiles } from '../../page-files/page-files';
import { IMMUTABLE, pageHeaders, sendFile } from '../../page-files/send-file';
import type { Dependencies } from '../dependencies';
import type { Routes } from './route';

/** The routes of the page at the path, and of its assets. The policy restricts what the page may load and call. */
export function pageRoutes(
  path: string,
  filesOf: (deps: Dependencies) => PageFiles,
  contentSecurityPolicy: readonly string[],
): Routes {
  const headers = pageHeaders(contentSecurityPolicy);
  return {
    [`GET ${path}`]: {
      scope: 'none',
      handler: (deps) => (request, response) => {
        response.set(headers);
        sendFile(request, response, filesOf(deps).page);
      },
    },
    [`GET ${path}/assets/:file`]: {
      scope: 'none',
      handler: (deps) => (request, response) => {
        const file = filesOf(deps).assets.get(String(request.params['file']));
        if (!file) throw errors.notFound('Path');
        response.set('Cache-Control', IMMUTABLE);
        sendFile(request, response, file);
      },
    },
  };
}
