/** Which endpoints' workflows must be notified of pending events, and when an endpoint counts as idle. */
import { rows, type Database } from '../database/database';

/** An endpoint to notify, with what its workflow is started with if it does not run. */
export interface IdleEndpoint {
  endpointId: number;
  nonce: string;
  clientId: number;
  url: string;
}

const columns = `endpoint.id AS "endpointId", endpoint.nonce, endpoint.client_id AS "clientId", endpoint.url`;

// Reads one index entry for each endpoint that has anything due, however much that is. A plain DISTINCT
// reads every entry: with 10,000 for one dead endpoint among 2,000 endpoints, 3.5 ms against 0.8 ms.
const claimStatement = `
WITH RECURSIVE waiting AS (
  SELECT min(endpoint_id) AS id FROM webhook_deliveries WHERE state = 'DUE'
  UNION ALL
  SELECT (SELECT min(endpoint_id) FROM webhook_deliveries WHERE state = 'DUE' AND endpoint_id > waiting.id)
    FROM waiting WHERE waiting.id IS NOT NULL
)
UPDATE webhook_endpoints endpoint SET awake = true
  FROM waiting
 WHERE endpoint.id = waiting.id AND NOT awake AND NOT paused AND enabled
RETURNING ${columns}`;

/** Claims every idle endpoint that something is due for, and returns these: each must be notified. */
export async function claimIdleEndpoints(database: Database): Promise<IdleEndpoint[]> {
  return rows<IdleEndpoint>(database, claimStatement);
}

const overdueStatement = `
SELECT ${columns} FROM webhook_endpoints endpoint
 WHERE CASE WHEN NOT enabled THEN awake
            WHEN paused OR held_until >= $before THEN false
            ELSE EXISTS (SELECT FROM webhook_deliveries WHERE endpoint_id = endpoint.id AND state = 'DUE')
              OR EXISTS (SELECT FROM webhook_replays WHERE endpoint_id = endpoint.id)
              OR EXISTS (SELECT FROM webhook_deliveries
                          WHERE endpoint_id = endpoint.id AND state = 'RETRY' AND next_try_at < $before) END`;

/**
 * Endpoints that should have sent something before that moment: most are about to, but a notification may have
 * been lost in a crash, or a workflow ended by an operator. And those that were disabled, whose workflows must end.
 */
export async function overdueEndpoints(database: Database, before: Date): Promise<IdleEndpoint[]> {
  return rows<IdleEndpoint>(database, overdueStatement, { before });
}
