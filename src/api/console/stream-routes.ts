/** What happens to an account, told to its open pages. docs/clients/console.md#the-stream. */
import { Router } from 'express';
import type { Dependencies } from '../dependencies';
import { clientOf } from '../middleware/authenticate';
import { countStream } from '../middleware/figures';
import { EventStream } from './event-stream';
import { LiveAccounts } from './live-accounts';
import { sessionOf } from './session';

/** GET /. */
export function consoleStreamRoutes(deps: Dependencies): Router {
  const router = Router();
  const accounts = new LiveAccounts(deps);

  router.get('/', (request, response) => {
    accounts.checkPlace(clientOf(response).id);
    // The head alone would never end.
    if (request.method === 'HEAD') return void response.type('text/event-stream').end();
    accounts.follow(sessionOf(response), new EventStream(response));
    countStream(response);
  });

  return router;
}
