/** The pictures of the sandbox's products, made by `dev/scripts/pictures.mjs`. Production has none. docs/specification.md#pictures-of-the-sandbox. */
import { errors } from '../../domain/errors';
import { sendFile } from '../../page-files/send-file';
import type { Routes } from '../server/route';

export const pictureRoutes: Routes = {
  // Pages of shops show the pictures, so they need no token.
  'GET /pictures/:file': {
    scope: 'none',
    handler:
      ({ pictures }) =>
      (request, response) => {
        const file = pictures.get(String(request.params['file']));
        if (!file) throw errors.notFound('Path');
        response.set('Cache-Control', 'public, max-age=3600');
        sendFile(request, response, file);
      },
  },
};
