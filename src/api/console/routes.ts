/** The page of the console, and the stream that keeps it current. docs/clients/console.md. */
import { clientOf } from '../middleware/caller';
import { countStream } from '../middleware/request-metrics';
import { pageRoutes } from '../server/page-routes';
import type { Routes } from '../server/route';
import { EventStream } from './event-stream';
import { LiveAccounts } from './live-accounts';
import { openSessionOf } from './session';

/** The page runs only its own scripts, and calls only this service. It shows the pictures of products from any host. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: https:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];

export const consoleRoutes: Routes = {
  ...pageRoutes('/console', ({ consoleFiles }) => consoleFiles, CONTENT_SECURITY_POLICY),
  'GET /console/stream': {
    scope: 'read',
    handler: (deps) => {
      const accounts = new LiveAccounts(deps);
      return (request, response) => {
        const client = clientOf(response);
        accounts.checkCapacity(client.id);
        // The response to HEAD has no body.
        if (request.method === 'HEAD') return void response.type('text/event-stream').end();
        // The connection closed while the session was looked up. `close` is not emitted again, so the stream would never end.
        if (response.destroyed) return;
        accounts.follow({ client, session: openSessionOf(response) }, new EventStream(response));
        countStream(response);
      };
    },
  },
};
